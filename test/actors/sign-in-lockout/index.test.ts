import { describe, expect, it } from 'vitest'
import type { KindPorts } from '../../../src/actors/kind-ports.ts'
import { signInLockoutKind } from '../../../src/actors/sign-in-lockout/index.ts'

describe('the stored forms of a lockout', () => {
  it('are read as they were written', () => {
    const { events, snapshots } = signInLockoutKind.definition({} as KindPorts)
    const counted = { type: 'AttemptCounted', atMs: 1, count: 2, lockedUntilMs: 0 } as const
    expect(events.decode(events.encode(counted, null), null)).toEqual(counted)
    const forgiven = { type: 'AttemptForgiven', atMs: 1, lockedUntilMs: 7 } as const
    expect(events.decode(events.encode(forgiven, null), null)).toEqual(forgiven)
    const state = { count: 2, lastAtMs: 1, lockedUntilMs: 0 }
    expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
  })
})
