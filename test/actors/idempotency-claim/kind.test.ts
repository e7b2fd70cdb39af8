import { describe, expect, it } from 'vitest'
import { idempotencyClaimKind } from '../../../src/actors/idempotency-claim/index.ts'
import type { ClaimEvent, IdempotencyClaim } from '../../../src/actors/idempotency-claim/rules.ts'
import { givenPorts } from '../given-ports.ts'

const idempotencyClaim = idempotencyClaimKind.definition(givenPorts({}))

const answer = { status: 201, sealedBody: 'sealed' }
const claimed = { recordId: 'rec_1', fingerprint: 'f', expiresAtMs: 9 }
const events: { readonly [Type in ClaimEvent['type']]: Extract<ClaimEvent, { type: Type }> } = {
  RunClaimed: { type: 'RunClaimed', run: 'r', runUntilMs: 5, ...claimed },
  RunTakenOver: { type: 'RunTakenOver', run: 'r', runUntilMs: 5 },
  AnswerStored: { type: 'AnswerStored', answer },
  ClaimReleased: { type: 'ClaimReleased' },
  RunYielded: { type: 'RunYielded' },
}
const states: {
  readonly [Status in IdempotencyClaim['status']]: Extract<IdempotencyClaim, { status: Status }>
} = {
  free: { status: 'free' },
  claimed: { status: 'claimed', run: 'r', runUntilMs: 5, ...claimed },
  answered: { status: 'answered', answer, ...claimed },
}

describe('what the journal keeps of a claim', () => {
  it.each(Object.values(events))('is read as it was written: $type', (event) => {
    const text = idempotencyClaim.events.encode(event, null)
    expect(idempotencyClaim.events.decode(text, null)).toEqual(event)
  })

  it.each(Object.values(states))('is read as it was written: a snapshot that is $status', (state) => {
    const text = idempotencyClaim.snapshots.encode(state, null)
    expect(idempotencyClaim.snapshots.decode(text, null)).toEqual(state)
  })

  it('is refused when it is no answer that may be stored', () => {
    const refused: ClaimEvent = { type: 'AnswerStored', answer: { status: 404, sealedBody: 'x' } }
    expect(() => idempotencyClaim.events.encode(refused, null)).toThrow('invalid')
  })
})

it('goes whole when its answer is repeated no longer, at once where it was released', () => {
  const { goneAtMs } = idempotencyClaim
  expect([goneAtMs(states.free), goneAtMs(states.claimed), goneAtMs(states.answered)]).toEqual([0, 9, 9])
})
