import { describe, expect, it } from 'vitest'
import { attemptsActor, attemptsOf } from '../../../src/actors/sign-in-lockout/kind.ts'
import { shardOf } from '../../../src/domain/shards.ts'

describe('the actor of attempts', () => {
  it('has an id that does not tell who tried', () => {
    const id = attemptsOf('print of somebody')
    expect(shardOf(id)).not.toBeNull()
    expect(id).toBe(attemptsOf('print of somebody'))
    expect(id).not.toBe(attemptsOf('print of somebody else'))
    expect(id).not.toContain('somebody')
  })

  it('stores what it reads', () => {
    const { events, snapshots } = attemptsActor()
    const counted = { type: 'AttemptCounted', atMs: 1, count: 2, lockedUntilMs: 0 } as const
    expect(events.decode(events.encode(counted, null), null)).toEqual(counted)
    const state = { count: 2, lastAtMs: 1, lockedUntilMs: 0 }
    expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
  })
})
