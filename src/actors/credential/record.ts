import { type Static, Type } from 'typebox'
import type { CredentialRecord } from './state.ts'
import { exchangeOutcome } from '../exchange-fields.ts'
import { faceCheckAsBegun, faceCheckView } from '../face-check/shown.ts'
import { isoTime, recordOf, words, wordsOrNull } from '../../http/route/fields.ts'

/** These values follow the rules for attributes: a comparable date as a number, an end as Unix seconds. */
export const EXAMPLE_ATTRIBUTES = { name: 'Ada Lovelace', birthdate: '19901210', expiresAt: '1924992000' }

export const credentialSchema = recordOf('Credential', {
  id: words('Names the credential exchange.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
  state: words(
    'How far the exchange is: offer-sent, request-received, credential-issued, done, declined or abandoned.',
    'offer-sent',
  ),
  connectionId: wordsOrNull('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x'),
  threadId: wordsOrNull('The thread of the messages with the wallet.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
  externalId: wordsOrNull('Your own name for it, from the offer.', 'order-1042'),
  credentialDefinitionId: wordsOrNull(
    'What is issued: the catalogue id of the definition.',
    'def_c20a4b6d8f1e3c5a7b9d0f2e4c',
  ),
  attributes: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
    description: 'The values that were offered; null once they are erased.',
    examples: [EXAMPLE_ATTRIBUTES],
  }),
  ...exchangeOutcome,
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
  biometric: faceCheckView(record),
  erasedAt: record.erasedAtMs === null ? null : isoTime(record.erasedAtMs),
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
  biometric: faceCheckAsBegun(record),
  updatedAt: isoTime(record.createdAtMs),
})
