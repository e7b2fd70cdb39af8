import { describe, expect, it } from 'vitest'
import type { KindPorts } from '../../../src/actors/kind-ports.ts'
import { rosterKind } from '../../../src/actors/roster/index.ts'
import { rosterOf } from '../../../src/actors/roster/rules.ts'
import { shardOf } from '../../../src/domain/references.ts'

describe('the actor of a roster', () => {
  it('lives where its organisation lives; the operators have one of their own', () => {
    expect(shardOf(rosterOf('ten_7faaaaaaaa'))).toBe(0x7f)
    expect(shardOf(rosterOf(null))).toBe(0)
  })

  it('stores what it reads', () => {
    const { events, snapshots } = rosterKind.definition({} as KindPorts)
    const listed = { type: 'AccountListed', account: 'a', address: 'p', role: 'admin' } as const
    expect(events.decode(events.encode(listed, null), null)).toEqual(listed)
    const state = { entries: [{ account: 'a', address: 'p', role: 'admin', isActive: true }] } as const
    expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
  })
})
