import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import {
  type AttemptsCommand,
  attemptsDecider,
  type AttemptsEvent,
  type AttemptsReply,
  type AttemptsState,
} from './rules.ts'
import { actorId } from '../../domain/shards.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, time } from '../stored-fields.ts'

const ATTEMPTS = 'try'

/** `fingerprint`: keyed, so that the id does not tell who tried. */
export const attemptsOf = (fingerprint: string): string => {
  const digest = createHash('sha256').update(fingerprint).digest()
  return actorId(ATTEMPTS, digest[0] ?? 0, digest.subarray(1, 21).toString('hex'))
}

const counts = { count: time, lockedUntilMs: time }

export const attemptsActor = (): OldActorDefinition<
  AttemptsState,
  AttemptsCommand,
  AttemptsEvent,
  AttemptsReply
> =>
  defineActor({
    kind: ATTEMPTS,
    decider: attemptsDecider,
    events: eventCodec({
      AttemptCounted: { version: 1, schema: event('AttemptCounted', counts) },
      AttemptForgiven: { version: 1, schema: event('AttemptForgiven', {}) },
      AttemptsForgotten: { version: 1, schema: event('AttemptsForgotten', {}) },
    }),
    snapshots: codec({ version: 1, schema: Type.Object({ ...counts, lastAtMs: time }) }),
    snapshotEvery: 50,
    keyParent: null,
    erased: () => false,
    perform: (effect) => Promise.reject(new Error(`attempts owe nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`attempts have no timer ${timerId}`)
    },
  })
