import { type Static, Type } from 'typebox'
import type { ConnectionRecord } from '../../domain/exchanges/connection-types.ts'
import { dateTime, dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

export const connectionSchema = exact({
  id: Type.String(),
  state: Type.String(),
  invitationId: textOrNull,
  theirLabel: textOrNull,
  externalId: textOrNull,
  erasedAt: dateTimeOrNull,
  createdAt: dateTime,
  updatedAt: dateTime,
})

export const connectionView = (id: string, record: ConnectionRecord): Static<typeof connectionSchema> => ({
  id,
  state: record.status,
  invitationId: record.invitationId,
  theirLabel: record.theirLabel,
  externalId: record.externalId,
  erasedAt: null,
  createdAt: isoTime(record.createdAtMs),
  updatedAt: isoTime(record.updatedAtMs),
})
