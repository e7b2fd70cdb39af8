import { Type } from 'typebox'
import { shortCodec } from '../../host/short-codec.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'

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
  sealedAnswer: Type.Optional(text),
})
const created = { tenant: text, endpoint: text, event: delivered }
const facts = {
  ...created,
  attempts: time,
  attemptsBefore: time,
  attemptLog: Type.Array(attempt),
  createdAtMs: time,
  updatedAtMs: time,
}

const stored = storedRecord({
  events: {
    DeliveryCreated: created,
    DeliveryFellDue: {},
    DeliveryAttempted: {
      attempt,
      outcome: oneOf(['delivered', 'failed', 'dead']),
      nextAttemptAtMs: orNull(time),
    },
    DeliveryHeld: {},
    DeliveryResumed: {},
    DeliveryRetried: {},
    DeliveryForgotten: {},
  },
  records: [
    {
      status: Type.Literal('pending'),
      ...facts,
      nextAttemptAtMs: time,
      due: Type.Boolean(),
      isHeld: Type.Optional(Type.Literal(true)),
    },
    { status: oneOf(['delivered', 'dead', 'forgotten']), ...facts },
  ],
})

/** An exchange has four of them and more, which stay as they are until retention. */
export const deliveryStored = { ...stored, events: shortCodec(stored.events) }
