import { type Static, Type } from 'typebox'
import type { CredentialRecord } from '../../domain/exchanges/credential-types.ts'
import { dateTime, dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

export const credentialSchema = exact({
  id: Type.String(),
  state: Type.String(),
  connectionId: textOrNull,
  threadId: textOrNull,
  externalId: textOrNull,
  credentialDefinitionId: textOrNull,
  attributes: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
  errorMessage: textOrNull,
  biometric: Type.Null(),
  erasedAt: dateTimeOrNull,
  createdAt: dateTime,
  updatedAt: dateTime,
})

export const credentialView = (id: string, record: CredentialRecord): Static<typeof credentialSchema> => ({
  id,
  state: record.status,
  connectionId: record.connectionId,
  threadId: record.threadId,
  externalId: record.externalId,
  credentialDefinitionId: record.definition.catalogueId,
  attributes: record.attributes === null ? null : { ...record.attributes },
  errorMessage: 'errorMessage' in record ? record.errorMessage : null,
  biometric: null,
  erasedAt: null,
  createdAt: isoTime(record.createdAtMs),
  updatedAt: isoTime(record.updatedAtMs),
})

/** What the offer was answered with; nothing but its attributes can have changed, by an erasure. */
export const credentialAsOffered = (
  id: string,
  record: CredentialRecord,
): Static<typeof credentialSchema> => ({
  ...credentialView(id, record),
  state: 'offer-sent',
  errorMessage: null,
  biometric: null,
  updatedAt: isoTime(record.createdAtMs),
})
