import { describe, expect, it } from 'vitest'
import { type Held, sayHeld, sayMember } from '../../../src/cluster/map/own-places.ts'
import type { KeptPlace, KeptShardMap } from '../../../src/ports/shard-map.ts'
import { mapAmong, withMembers } from '../planner/parts.ts'

const place = (changes: Partial<KeptPlace>): KeptPlace => ({
  owner: 'a',
  desired: 'b',
  pinned: false,
  epoch: 3,
  ...changes,
})
const said = (before: KeptPlace, held: Held): KeptPlace | null => {
  const map: KeptShardMap = { ...mapAmong(['a', 'b'], 1), places: [before] }
  return sayHeld('a', () => held)(map)?.places[0] ?? null
}

describe('what a node says of a shard', () => {
  it('is that it serves it, in which epoch', () => {
    const served: Held = { is: 'served', epoch: 5 }
    expect(said(place({ owner: null, desired: 'a' }), served)).toEqual(
      place({ owner: 'a', desired: 'a', epoch: 5 }),
    )
    expect(said(place({ epoch: 5 }), served)).toBeNull()
    expect(said(place({ owner: 'b', epoch: 6 }), served)).toBeNull()
  })

  it('is that it has let go, and of which epoch only where it was its own', () => {
    expect(said(place({}), { is: 'not-served', letGo: 3 })).toEqual(place({ owner: null }))
    expect(said(place({}), { is: 'not-served', letGo: 2 })).toEqual(place({ owner: null, epoch: null }))
    expect(said(place({}), { is: 'not-served', letGo: null })).toEqual(place({ owner: null, epoch: null }))
  })

  it('is nothing while that changes, where it is not its own, and where it will serve it again', () => {
    expect(said(place({}), { is: 'changing' })).toBeNull()
    expect(said(place({ owner: 'b' }), { is: 'not-served', letGo: 3 })).toBeNull()
    expect(said(place({ desired: 'a' }), { is: 'not-served', letGo: 3 })).toBeNull()
  })
})

describe('what a node says of itself', () => {
  it('is that it takes part or leaves, unless operators drained it', () => {
    const map = withMembers(mapAmong(['a'], 1), { a: 'leaving', c: 'drained' })
    expect(sayMember('a', 'taking')(map)?.members).toContainEqual({ node: 'a', state: 'taking' })
    expect(sayMember('b', 'taking')(map)?.members.map(({ node }) => node)).toEqual(['a', 'b', 'c'])
    expect(sayMember('a', 'leaving')(map)).toBeNull()
    expect(sayMember('c', 'taking')(map)).toBeNull()
  })
})
