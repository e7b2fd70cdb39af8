import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { event, oneOf, orNull, text, time } from '../stored-fields.ts'
import { reportEnd } from './effects.ts'
import { actingRoutes } from './routes.ts'
import { acting, actingDecider, type ActingTypes } from './rules.ts'

const facts = { organisation: text, operatorId: text, sealedReason: text, mayChange: Type.Boolean() }
const by = oneOf(['operator', 'time'])
const unreported = { number: time, organisation: text, operatorId: text, by, atMs: time }

/** For which organisation a session of an operator acts. Without a data key: the reason is under the organisation's. */
export const actingKind = defineKind<ActingTypes>({
  references: acting,
  isCopied: true,
  decider: actingDecider,
  events: eventCodec({
    ActingBegun: { version: 1, schema: event('ActingBegun', facts) },
    ActingEnded: { version: 1, schema: event('ActingEnded', { by }) },
    ActingEndReported: { version: 1, schema: event('ActingEndReported', { number: time }) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Object({
      number: time,
      period: orNull(Type.Object({ ...facts, startedAtMs: time, endsAtMs: time })),
      unreported: Type.Array(Type.Object(unreported)),
    }),
  }),
  // What operators do takes no organisation's turn.
  tenantOf: () => null,
  effects: (ports) => ({ perform: (effect, { actor }) => reportEnd(ports, actor, effect) }),
  onTimer: (timerId, atMs) => ({
    type: 'LetActingRunOut',
    atMs,
    number: Number(timerId.slice('end-'.length)),
  }),
  routes: actingRoutes,
})
