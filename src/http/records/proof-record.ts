import { type Static, Type } from 'typebox'
import type { ProofRecord } from '../../domain/exchanges/proof-types.ts'
import { dateTime, dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

const disclosed = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

export const proofSchema = exact({
  id: Type.String(),
  state: Type.String(),
  connectionId: textOrNull,
  threadId: textOrNull,
  externalId: textOrNull,
  proofTemplateId: textOrNull,
  verified: Type.Union([Type.Boolean(), Type.Null()]),
  disclosed: Type.Union([disclosed, Type.Null()]),
  errorMessage: textOrNull,
  biometric: Type.Null(),
  erasedAt: dateTimeOrNull,
  createdAt: dateTime,
  updatedAt: dateTime,
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
  biometric: null,
  erasedAt: null,
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
  biometric: null,
  updatedAt: isoTime(record.createdAtMs),
})
