import { describe, expect, it } from 'vitest'
import { type Held, sayHeld, sayMember } from '../../../src/cluster/map/own-places.ts'
import type { KeptPlace, KeptShardMap } from '../../../src/ports/shard-map.ts'
import { mapAmong } from '../planner/parts.ts'

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
  const says = (map: KeptShardMap, node: string, state: 'taking' | 'leaving', life = 'second') =>
    sayMember({ node, life }, state)(map)?.members
  const among = (...members: KeptShardMap['members']): KeptShardMap => ({ ...mapAmong(['a'], 1), members })

  it('is that it asks for a share, or leaves, once', () => {
    const map = among({ node: 'a', state: 'leaving' }, { node: 'c', state: 'taking', life: 'second' })
    expect(says(map, 'b', 'taking')).toEqual([
      { node: 'a', state: 'leaving' },
      { node: 'b', state: 'taking', life: 'second', isNew: true },
      { node: 'c', state: 'taking', life: 'second' },
    ])
    expect(says(map, 'a', 'taking')).toContainEqual({
      node: 'a',
      state: 'taking',
      life: 'second',
      isNew: true,
    })
    expect(says(map, 'a', 'leaving')).toBeUndefined()
    expect(says(map, 'c', 'taking')).toBeUndefined()
    expect(says(map, 'c', 'leaving')).toContainEqual({ node: 'c', state: 'leaving' })
    expect(says(map, 'c', 'leaving', 'first')).toBeUndefined()
    expect(says(map, 'b', 'leaving')).toBeUndefined()
  })

  it('is that it has died where another process has its place, and not where operators gave it', () => {
    const before = among({ node: 'a', state: 'taking', life: 'first' }, { node: 'b', state: 'taking' })
    expect(says(before, 'a', 'taking')).toContainEqual({
      node: 'a',
      state: 'taking',
      life: 'second',
      isNew: true,
      hasDied: true,
    })
    expect(says(before, 'b', 'taking')).toContainEqual({ node: 'b', state: 'taking', life: 'second' })
  })

  it('is that it leaves also where operators drained it, which it stays when it comes back', () => {
    const drained = among({ node: 'a', state: 'drained' })
    expect(says(drained, 'a', 'taking')).toBeUndefined()
    const leaving = { node: 'a', state: 'leaving', staysDrained: true } as const
    expect(says(drained, 'a', 'leaving')).toEqual([leaving])
    expect(says(among(leaving), 'a', 'leaving')).toBeUndefined()
    expect(says(among(leaving), 'a', 'taking')).toEqual([{ node: 'a', state: 'drained' }])
  })
})
