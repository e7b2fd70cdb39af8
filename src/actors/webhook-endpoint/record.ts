import { type Static, Type } from 'typebox'
import type { WebhookEndpoint } from './rules.ts'
import { isoTime, momentOrNull, recordOf, wordsOrNull } from '../../http/route/fields.ts'

const fields = {
  url: wordsOrNull(
    'Where events are posted to; null: no endpoint is set.',
    'https://backend.example/webhooks',
  ),
  eventTypes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Events of these types alone; null: all of them.',
    examples: [['credential.state_changed', 'proof.state_changed']],
  }),
  secretCreatedAt: momentOrNull('When the signing secret was made.'),
  previousSecretExpiresAt: momentOrNull(
    'Until when deliveries carry the signature of the secret before, too.',
  ),
  disabledAt: momentOrNull('When deliveries were switched off.'),
  createdAt: momentOrNull('When the endpoint was set first.'),
  updatedAt: momentOrNull('When the endpoint changed last.'),
}

export const webhookSchema = recordOf('WebhookEndpoint', fields)
export const webhookWithSecretSchema = recordOf('WebhookEndpointWithSecret', {
  ...fields,
  secret: wordsOrNull(
    'Signs the deliveries; shown in this answer alone, and null when it comes again.',
    'svc_whsec_…',
  ),
})

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
