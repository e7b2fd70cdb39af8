import { describe, expect, it } from 'vitest'
import { nextMap, type Spread } from '../../../src/cluster/planner/next-map.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { countsIn, even, mapAmong, planningFor, withMembers } from './parts.ts'

const nothing: Spread = () => []
const follow = (map: KeptShardMap, alive: readonly string[], spread = nothing): KeptShardMap | null =>
  nextMap(map, planningFor(alive, { weights: even(map.places.length), movingMax: 4 }), spread)

describe('the next map', () => {
  it('is none where everything is as it should be', () => {
    expect(follow(mapAmong(['a', 'b']), ['a', 'b'])).toBeNull()
  })

  it('has the shards of a dead node, pinned and frozen ones too, at those that live, and says nothing of their epochs', () => {
    const map = mapAmong(['a', 'b', 'c'], 30)
    const pinned = map.places.map((place) => ({ ...place, pinned: true }))
    const next = follow({ ...map, frozen: true, places: pinned }, ['a', 'b'])
    expect(countsIn(next ?? map)).toEqual({ a: 15, b: 15 })
    expect(next?.members.map(({ node }) => node)).toEqual(['a', 'b'])
    for (const [shard, { owner, epoch, desired }] of (next?.places ?? []).entries())
      if (shard % 3 === 2) expect([owner, epoch]).toEqual([null, null])
      else expect([owner, epoch, desired]).toEqual([map.places[shard]?.owner, 1, map.places[shard]?.owner])
  })

  it('empties a node that leaves; one that operators drain keeps what is pinned', () => {
    const map = mapAmong(['a', 'b'], 8)
    const pinned = { ...map, places: map.places.map((place) => ({ ...place, pinned: true })) }
    const leaving = follow(withMembers(pinned, { a: 'leaving', b: 'taking' }), ['a', 'b'])
    expect(countsIn(leaving ?? map)).toEqual({ b: 8 })
    expect(follow(withMembers(pinned, { a: 'drained', b: 'taking' }), ['a', 'b'])).toBeNull()
    const drained = follow(withMembers(map, { a: 'drained', b: 'taking' }), ['a', 'b'])
    expect(countsIn(drained ?? map)).toEqual({ b: 8 })
  })

  it('gives nothing to a drained node that stops, also where no other is left, and drains it again when it is gone', () => {
    const map = withMembers(mapAmong(['a', 'b'], 8), { a: 'taking' })
    const members = [...map.members, { node: 'b', state: 'leaving', staysDrained: true } as const]
    const alone = follow({ ...map, members }, ['b'])
    expect(alone?.places.every(({ desired }) => desired === 'a' || desired === 'b')).toBe(true)
    expect(alone?.places.filter(({ desired }) => desired === 'a')).toHaveLength(4)
    expect(follow({ ...map, members }, ['a'])?.members).toEqual([
      { node: 'a', state: 'taking' },
      { node: 'b', state: 'drained' },
    ])
  })

  it('takes what is not pinned from a node that came back unseen and has died too often, and nothing while it is frozen', () => {
    const map = mapAmong(['a', 'b'], 8)
    const places = map.places.with(1, { owner: 'b', desired: 'b', pinned: true, epoch: 1 })
    const members = [
      { node: 'a', state: 'taking' },
      { node: 'b', state: 'taking', isNew: true, hasDied: true },
    ] as const
    const returned = { ...map, places, members, deaths: [{ node: 'b', count: 2 }] }
    expect(countsIn(follow(returned, ['a', 'b']) ?? map)).toEqual({ a: 7, b: 1 })
    expect(countsIn(follow({ ...returned, frozen: true }, ['a', 'b']) ?? map)).toEqual({ a: 4, b: 4 })
  })

  it('begins as many moves beside those that are late as if these were not there', () => {
    const map = mapAmong(['a', 'b'], 20)
    const places = map.places.map((place, shard) => (shard < 4 ? { ...place, owner: null } : place))
    const greedy: Spread = () => [{ shard: 12, from: 'a', to: 'b', reason: 'balance' }]
    const weights = even(20)
    const alive = ['a', 'b']
    expect(nextMap({ ...map, places }, planningFor(alive, { weights, movingMax: 4 }), greedy)).toBeNull()
    const late = new Set([0, 1, 2, 3])
    const next = nextMap({ ...map, places }, planningFor(alive, { weights, movingMax: 4, late }), greedy)
    expect(next?.places[12]?.desired).toBe('b')
    const planned = [{ shard: 14, to: 'b' }]
    const ordered = nextMap(
      { ...map, places, planned },
      planningFor(alive, { weights, movingMax: 4, late }),
      greedy,
    )
    expect(ordered?.places[14]?.desired).toBe('b')
  })

  it('leaves a node that stops alone where no other is left, and gives orphans to drained ones rather than to nobody', () => {
    const map = mapAmong(['a', 'b'], 8)
    expect(follow(withMembers(mapAmong(['a'], 8), { a: 'leaving' }), ['a'])).toBeNull()
    const orphaned = follow(withMembers(map, { a: 'taking', b: 'drained' }), ['b'])
    expect(countsIn(orphaned ?? map)).toEqual({ b: 8 })
  })

  it('begins the moves of an operator some at a time, drops those that came to nothing, and adds none of its own', () => {
    const map = mapAmong(['a', 'b'], 20)
    const atA = [0, 2, 4, 6, 8, 10].map((shard) => ({ shard, to: 'b' }))
    const planned = [{ shard: 1, to: 'b' }, { shard: 3, to: 'gone' }, ...atA]
    const greedy: Spread = () => [{ shard: 12, from: 'a', to: 'b', reason: 'balance' }]
    const next = follow({ ...map, planned }, ['a', 'b'], greedy)
    expect(next?.places.flatMap(({ owner, desired }, shard) => (owner === desired ? [] : [shard]))).toEqual([
      0, 2, 4, 6,
    ])
    expect(next?.planned.map(({ shard }) => shard)).toEqual([8, 10])
    expect(follow({ ...map, planned, frozen: true }, ['a', 'b'])).toBeNull()
  })
})
