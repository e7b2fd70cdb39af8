import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { event, time } from '../stored-fields.ts'
import { goneAtMs, lockoutDecider, type LockoutTypes, signInLockout } from './rules.ts'

const counts = { count: time, lockedUntilMs: time }

export const signInLockoutKind = defineKind<LockoutTypes>({
  references: signInLockout,
  decider: lockoutDecider,
  events: eventCodec({
    AttemptCounted: { version: 1, schema: event('AttemptCounted', counts) },
    AttemptForgiven: { version: 1, schema: event('AttemptForgiven', { lockedUntilMs: time }) },
    AttemptsForgotten: { version: 1, schema: event('AttemptsForgotten', {}) },
  }),
  snapshots: codec({ version: 1, schema: Type.Object({ ...counts, lastAtMs: time }) }),
  dated: (command, nowMs) => ({ ...command, atMs: nowMs }),
  goneAtMs,
})
