import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { type ClaimTypes, claimDecider, idempotencyClaim } from './rules.ts'

const text = Type.String({ minLength: 1 })
const time = Type.Integer()
const answer = Type.Object({ status: Type.Integer({ minimum: 200, maximum: 299 }), sealedBody: text })
const event = <const Name extends string>(name: Name) => ({ type: Type.Literal(name) })

const events = eventCodec({
  RunClaimed: {
    version: 1,
    schema: Type.Object({
      ...event('RunClaimed'),
      run: text,
      recordId: text,
      fingerprint: text,
      runUntilMs: time,
      expiresAtMs: time,
    }),
  },
  RunTakenOver: {
    version: 1,
    schema: Type.Object({ ...event('RunTakenOver'), run: text, runUntilMs: time }),
  },
  AnswerStored: { version: 1, schema: Type.Object({ ...event('AnswerStored'), answer }) },
  ClaimReleased: { version: 1, schema: Type.Object(event('ClaimReleased')) },
  RunYielded: { version: 1, schema: Type.Object(event('RunYielded')) },
})

const claimed = { recordId: text, fingerprint: text, expiresAtMs: time }

const snapshots = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('free') }),
    Type.Object({ status: Type.Literal('claimed'), ...claimed, run: text, runUntilMs: time }),
    Type.Object({ status: Type.Literal('answered'), ...claimed, answer }),
  ]),
})

/** Claims hold no personal fields: what they store is sealed by the tenant's key before it comes here. */
export const idempotencyClaimKind = defineKind<ClaimTypes>({
  references: idempotencyClaim,
  decider: claimDecider,
  events,
  snapshots,
  snapshotEvery: 64,
  // A run counts as dead by one clock, whichever nodes its requests come through.
  dated: (command, nowMs) =>
    command.type === 'Claim'
      ? { ...command, atMs: nowMs, runUntilMs: nowMs + command.runUntilMs - command.atMs }
      : command,
  goneAtMs: (state) => (state.status === 'free' ? 0 : state.expiresAtMs),
})
