import { Type } from 'typebox'
import type { DeliveryJournalEvent, DeliveryState } from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

const delivered = Type.Object({
  id: text,
  type: text,
  createdAtMs: time,
  recordType: text,
  recordId: text,
  data: Type.Record(Type.String(), Type.Unknown()),
  sealed: textOrNull,
})
const attempt = Type.Object({
  atMs: time,
  url: text,
  status: orNull(Type.Integer()),
  durationMs: time,
  error: textOrNull,
})
const created = { tenant: text, endpoint: text, event: delivered }

export const deliveryEvents: Codec<DeliveryJournalEvent> = eventCodec({
  DeliveryCreated: { version: 1, schema: event('DeliveryCreated', created) },
  DeliveryFellDue: { version: 1, schema: event('DeliveryFellDue', {}) },
  DeliveryAttempted: {
    version: 1,
    schema: event('DeliveryAttempted', {
      attempt,
      outcome: oneOf(['delivered', 'failed', 'dead']),
      nextAttemptAtMs: orNull(time),
    }),
  },
  DeliveryRetried: { version: 1, schema: event('DeliveryRetried', {}) },
})

const facts = {
  ...created,
  attempts: time,
  attemptsBefore: time,
  attemptLog: Type.Array(attempt),
  createdAtMs: time,
  updatedAtMs: time,
}

export const deliverySnapshots: Codec<DeliveryState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({
      status: Type.Literal('pending'),
      ...facts,
      nextAttemptAtMs: time,
      due: Type.Boolean(),
    }),
    Type.Object({ status: oneOf(['delivered', 'dead']), ...facts }),
  ]),
})
