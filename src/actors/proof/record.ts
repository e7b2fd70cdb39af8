import { type Static, Type } from 'typebox'
import type { ProofRecord } from './state.ts'
import { exchangeOutcome } from '../exchange-fields.ts'
import { faceCheckAsBegun, faceCheckView } from '../face-check/shown.ts'
import { isoTime, recordOf, words, wordsOrNull } from '../../http/route/fields.ts'

const disclosed = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

export const proofSchema = recordOf('Proof', {
  id: words('Names the proof exchange.', 'pro_5f8d2k4m6p7q9r1s3t5v0w2z'),
  state: words(
    'How far the exchange is: request-sent, presentation-received, done, declined or abandoned.',
    'done',
  ),
  connectionId: wordsOrNull('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x'),
  threadId: wordsOrNull('The thread of the messages with the wallet.', 'pro_5f8d2k4m6p7q9r1s3t5v0w2z'),
  externalId: wordsOrNull('Your own name for it, from the request.', 'check-in-77'),
  proofTemplateId: wordsOrNull('What was asked for.', 'tpl_3b7d9f1h3k5m7p9r1t3v5x7z'),
  verified: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the proof holds; null until the exchange is done.',
  }),
  disclosed: Type.Union([disclosed, Type.Null()], {
    description:
      'What the holder disclosed, by group; empty when the proof does not hold, null until the exchange is done and once it is erased.',
    examples: [{ person: { name: 'Ada Lovelace' } }],
  }),
  ...exchangeOutcome,
})

export const proofView = (id: string, record: ProofRecord): Static<typeof proofSchema> => ({
  id,
  state: record.status,
  connectionId: record.connectionId,
  threadId: record.threadId,
  externalId: record.externalId,
  proofTemplateId: record.proofTemplateId,
  verified: record.status === 'done' ? record.verified : null,
  disclosed: record.status === 'done' ? copied(record.disclosed) : null,
  errorMessage: 'errorMessage' in record ? record.errorMessage : null,
  biometric: faceCheckView(record),
  erasedAt: record.erasedAtMs === null ? null : isoTime(record.erasedAtMs),
  createdAt: isoTime(record.createdAtMs),
  updatedAt: isoTime(record.updatedAtMs),
})

const copied = (groups: Readonly<Record<string, Readonly<Record<string, string>>>> | null) =>
  groups === null
    ? null
    : Object.fromEntries(Object.entries(groups).map(([group, values]) => [group, { ...values }]))

/** What the request was answered with. */
export const proofAsRequested = (id: string, record: ProofRecord): Static<typeof proofSchema> => ({
  ...proofView(id, record),
  state: 'request-sent',
  verified: null,
  disclosed: null,
  errorMessage: null,
  biometric: faceCheckAsBegun(record),
  updatedAt: isoTime(record.createdAtMs),
})
