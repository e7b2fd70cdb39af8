import type { Static } from 'typebox'
import type { ConnectionRecord } from './state.ts'
import { isoTime, momentOrNull, recordOf, recordTimes, words, wordsOrNull } from '../../http/route/fields.ts'

export const connectionSchema = recordOf('Connection', {
  id: words('Names the connection.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x'),
  state: words(
    'How far the connection is: request-received, response-sent, completed, abandoned or closed (erased, or the wallet has hung up).',
    'completed',
  ),
  invitationId: wordsOrNull('The invitation that the holder answered.', 'inv_a04c6e8g1j3m5p7r9t2v4x6z'),
  theirLabel: wordsOrNull('What the wallet calls itself; null once it is erased.', "Ada's phone"),
  externalId: wordsOrNull('Your own name for it, from the invitation.', 'customer-1042'),
  erasedAt: momentOrNull('When its personal data was erased.'),
  ...recordTimes,
})

export const connectionView = (id: string, record: ConnectionRecord): Static<typeof connectionSchema> => ({
  id,
  state: record.status,
  invitationId: record.invitationId,
  theirLabel: record.theirLabel,
  externalId: record.externalId,
  erasedAt: record.erasedAtMs === null ? null : isoTime(record.erasedAtMs),
  createdAt: isoTime(record.createdAtMs),
  updatedAt: isoTime(record.updatedAtMs),
})
