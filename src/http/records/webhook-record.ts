import { type Static, Type } from 'typebox'
import type { WebhookEndpoint } from '../../domain/webhooks/endpoint.ts'
import { dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

const fields = {
  url: textOrNull,
  eventTypes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  secretCreatedAt: dateTimeOrNull,
  previousSecretExpiresAt: dateTimeOrNull,
  disabledAt: dateTimeOrNull,
  createdAt: dateTimeOrNull,
  updatedAt: dateTimeOrNull,
}

export const webhookSchema = exact(fields)
export const webhookWithSecretSchema = exact({ ...fields, secret: Type.String() })

/** Null: none is set. */
export const webhookView = (
  endpoint: WebhookEndpoint | null,
  nowMs: number,
): Static<typeof webhookSchema> => {
  if (endpoint?.status !== 'set') return NONE
  const { url, eventTypes, secretCreatedAtMs, previousSecretExpiresAtMs: expiresAtMs } = endpoint
  return {
    url,
    eventTypes: eventTypes === null ? null : [...eventTypes],
    secretCreatedAt: isoTime(secretCreatedAtMs),
    previousSecretExpiresAt: expiresAtMs !== null && expiresAtMs > nowMs ? isoTime(expiresAtMs) : null,
    disabledAt: null,
    createdAt: isoTime(endpoint.createdAtMs),
    updatedAt: isoTime(endpoint.updatedAtMs),
  }
}

const NONE: Static<typeof webhookSchema> = {
  url: null,
  eventTypes: null,
  secretCreatedAt: null,
  previousSecretExpiresAt: null,
  disabledAt: null,
  createdAt: null,
  updatedAt: null,
}
