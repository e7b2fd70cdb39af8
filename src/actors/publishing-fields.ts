import { Type } from 'typebox'
import { endorsementModes, PUBLISHING_STATUSES } from '../domain/publishing.ts'
import { oneOf, text, textOrNull, time } from './stored-fields.ts'

const attempt = Type.Integer({ minimum: 1 })
export const endorsement = oneOf(endorsementModes)

/** Beside the events of every kind that is published on the ledger. */
export const publishingEvents = {
  PublishingRetried: { endorsement, attempt },
  Deprecated: {},
  EndorsementAwaited: {},
  Endorsed: {},
  EndorsementRefused: { reason: text },
} as const

/** Beside the fields of its record. */
export const publishingFields = {
  status: oneOf(PUBLISHING_STATUSES),
  attempt: Type.Optional(attempt),
  lastError: textOrNull,
  updatedAtMs: time,
} as const
