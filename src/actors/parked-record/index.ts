import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { PARKED_PARTS } from '../../ports/parking.ts'
import { defineKind } from '../define-kind.ts'
import { event, oneOf, orNull, text, time } from '../stored-fields.ts'
import { parkedRoutes } from './routes.ts'
import { parkedDecider, parkedRecord, type ParkedTypes } from './rules.ts'

// Older releases say neither whose journal has the event nor since when it waits.
const held = Type.Object({ id: text, recordId: text, actor: Type.Optional(text) })
const waiting = Type.Object({ ...held.properties, sinceMs: Type.Optional(time) })
const from = orNull(Type.Object({ seq: time, no: time, index: time }))
const facts = { id: text, part: oneOf(PARKED_PARTS), recordId: text, from, error: text }
const passedOn = Type.Array(text)

/** Without a data key: it has ids, places and names of errors only. */
export const parkedRecordKind = defineKind<ParkedTypes>({
  references: parkedRecord,
  decider: parkedDecider,
  events: eventCodec({
    RecordParked: { version: 1, schema: event('RecordParked', { ...facts, held: orNull(held) }) },
    EventHeld: { version: 1, schema: event('EventHeld', { id: text, held }) },
    RetryAsked: { version: 1, schema: event('RetryAsked', { id: text }) },
    RecordKept: { version: 1, schema: event('RecordKept', { id: text, error: text }) },
    HeldPassedOn: { version: 1, schema: event('HeldPassedOn', { id: text, passedOn }) },
    RecordReleased: { version: 1, schema: event('RecordReleased', { id: text }) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Object({
      entries: Type.Array(
        Type.Object({
          ...facts,
          held: Type.Array(waiting),
          sinceMs: time,
          attempts: time,
          isRetryAsked: Type.Boolean(),
        }),
      ),
    }),
  }),
  routes: parkedRoutes,
})
