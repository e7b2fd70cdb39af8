import { describe, expect, it } from 'vitest'
import { balancingMoves, isUneven, tolerances } from '../../../src/cluster/planner/balance.ts'
import { carriedBy } from '../../../src/cluster/planner/carried.ts'
import { weightsOf } from '../../../src/cluster/planner/weights.ts'
import type { KeptShardMap, ShardLoad } from '../../../src/ports/shard-map.ts'
import { Random, seedFrom } from '../../../tools/simulate/random.ts'
import { afterMoves, alike, countsIn, mapAmong } from './parts.ts'

const nodes = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}`)

/** A map in which each shard is where this says. */
const placed = (shardCount: number, nodeOf: (shard: number) => string): KeptShardMap => {
  const map = mapAmong(['n0'], shardCount)
  const places = map.places.map((place, shard) => ({
    ...place,
    owner: nodeOf(shard),
    desired: nodeOf(shard),
  }))
  return { ...map, places }
}

/** What the node has that has most: 1 is the mean. */
const mostOf = (names: readonly string[], map: KeptShardMap, weights: readonly number[]): number => {
  const carried = [...carriedBy(names, map, weights).values()]
  return (Math.max(...carried) * names.length) / carried.reduce((sum, each) => sum + each)
}

describe('shards are spread', () => {
  it.each([
    [1, 3],
    [3, 5],
    [1, 5],
  ])('from %i nodes over %i with no move too many', (before, after) => {
    const map = mapAmong(nodes(before))
    const moves = balancingMoves(nodes(after), map, alike())
    const least = Math.ceil((256 * (after - before)) / after)
    expect(moves.length).toBeLessThanOrEqual(least)
    expect(new Set(moves.map(({ shard }) => shard)).size).toBe(moves.length)
    const counts = Object.values(countsIn(afterMoves(map, moves)))
    expect(Math.max(...counts)).toBeLessThanOrEqual((256 / after) * (1 + tolerances.end))
  })

  it('so that half of the load on a few shards is no more than 1.3 times the mean for any node', () => {
    const loads = new Map<number, ShardLoad>()
    for (let shard = 0; shard < 256; shard++) {
      const isHot = shard % 3 === 0 && shard < 36
      loads.set(shard, {
        shard,
        eventsPerSecond: isHot ? 20 : 1,
        bytesPerSecond: isHot ? 20_000 : 1_000,
        residents: 100,
      })
    }
    const weights = weightsOf(256, loads)
    const map = mapAmong(nodes(3))
    const moves = balancingMoves(nodes(3), map, weights)
    expect(moves.length).toBeLessThan(60)
    expect(mostOf(nodes(3), afterMoves(map, moves), weights.all)).toBeLessThan(1.3)
  })

  it('so that hot shards without many records do not keep others beside them', () => {
    const hot = new Set([0, 128])
    const loads = Array.from({ length: 256 }, (_, shard): ShardLoad => {
      const times = hot.has(shard) ? 127 : 1
      return { shard, eventsPerSecond: 4 * times, bytesPerSecond: 4_000 * times, residents: 40 }
    })
    const weights = weightsOf(256, new Map(loads.map((load) => [load.shard, load])))
    // Six others beside each of the hot ones: by all of the weight no node is far from the mean.
    const map = placed(256, (shard) => {
      if (shard < 7) return 'n0'
      return shard >= 128 && shard < 135 ? 'n1' : `n${2 + (shard % 3)}`
    })
    expect(mostOf(nodes(5), map, weights.all)).toBeLessThan(1 + tolerances.end)
    expect(isUneven(nodes(5), map, weights)).toBe(true)
    const moved = afterMoves(map, balancingMoves(nodes(5), map, weights))
    // One hot shard alone.
    const events = loads.map(({ eventsPerSecond }) => eventsPerSecond)
    expect(mostOf(nodes(5), moved, events)).toBeCloseTo(1.25)
    expect(isUneven(nodes(5), moved, weights)).toBe(false)
  })

  it('so that shards that became hot together are parted', () => {
    // Three shards have half of the traffic, and two of them a node for themselves.
    const hot = new Set([0, 1, 2])
    const weights = alike(Array.from({ length: 256 }, (_, shard) => (hot.has(shard) ? 128 / 3 : 128 / 253)))
    const map = placed(256, (shard) => {
      if (shard < 2) return 'n0'
      return shard === 2 || shard > 240 ? 'n1' : `n${2 + (shard % 3)}`
    })
    expect(mostOf(nodes(5), map, weights.all)).toBeCloseTo(5 / 3)
    const moves = balancingMoves(nodes(5), map, weights)
    expect(mostOf(nodes(5), afterMoves(map, moves), weights.all)).toBeLessThan(1 + tolerances.end)
    // One of them takes the place of some seventy others.
    expect(moves.length).toBeLessThan(128)
  })

  it('without what is pinned, moves already, or is frozen', () => {
    const map = mapAmong(['n0'])
    const places = map.places.map((place, shard) => {
      if (shard < 100) return { ...place, pinned: true }
      return shard < 200 ? { ...place, owner: null } : place
    })
    const moves = balancingMoves(nodes(2), { ...map, places }, alike())
    expect(moves.length).toBe(56)
    expect(moves.every(({ shard }) => shard >= 200)).toBe(true)
    expect(balancingMoves(nodes(2), { ...map, frozen: true }, alike())).toEqual([])
  })

  it('once: whatever their loads, nothing is left to move afterwards', () => {
    const seed = seedFrom(undefined)
    const random = new Random(seed)
    for (let round = 0; round < 200; round++) {
      const count = random.integer(2, 6)
      const shards = random.pick([3, 9, 32, 256])
      const drawn = () => Array.from({ length: shards }, () => 0.2 + random.next() ** 3 * 8)
      const weights = random.oneIn(2) ? alike(drawn()) : { all: drawn(), traffic: drawn() }
      let map = mapAmong(nodes(random.integer(1, count)), shards)
      map = afterMoves(map, balancingMoves(nodes(count), map, weights))
      expect(balancingMoves(nodes(count), map, weights), `seed ${seed}, round ${round}`).toEqual([])
    }
  })
})

describe('the weight of a shard', () => {
  it('is the same for all where next to nothing is measured', () => {
    const load = { shard: 3, eventsPerSecond: 0.5, bytesPerSecond: 10, residents: 2 }
    const { all, traffic } = weightsOf(8, new Map([[3, load]]))
    expect(new Set([...all, ...traffic])).toEqual(new Set([1]))
  })

  it('follows what it costs, with 1 as the mean, and is 1 for one that nobody has measured', () => {
    const loads = [300, 100, 100, 100].map((eventsPerSecond, shard) => {
      return [shard, { shard, eventsPerSecond, bytesPerSecond: 0, residents: 0 }] as const
    })
    const { all, traffic } = weightsOf(5, new Map(loads))
    expect(all[0]).toBeGreaterThan(1.4)
    expect(traffic[0]).toBeGreaterThan(all[0] ?? 0)
    expect([all[4], traffic[4]]).toEqual([1, 1])
    for (const weights of [all, traffic]) expect(weights.reduce((sum, each) => sum + each)).toBeCloseTo(5)
  })

  it('does not jump where a load goes up and down, and is that of any other while all of it is little', () => {
    const weightAt = (total: number): number => {
      const load = { shard: 0, eventsPerSecond: total, bytesPerSecond: 0, residents: 0 }
      const others = [1, 2, 3].map((shard) => [shard, { ...load, shard, eventsPerSecond: 0 }] as const)
      return weightsOf(4, new Map([[0, load], ...others])).all[0] ?? Number.NaN
    }
    expect([5, 20, 50].map(weightAt)).toEqual([1, 1, 1])
    for (let total = 5; total < 300; total += 5)
      expect(weightAt(total + 5) - weightAt(total)).toBeLessThan(0.1)
    expect(weightAt(300)).toBeGreaterThan(2.5)
  })
})
