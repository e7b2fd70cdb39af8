import { describe, expect, it } from 'vitest'
import { balancingMoves, tolerances } from '../../../src/cluster/planner/balance.ts'
import { carriedBy } from '../../../src/cluster/planner/carried.ts'
import { weightsOf } from '../../../src/cluster/planner/weights.ts'
import type { ShardLoad } from '../../../src/ports/shard-map.ts'
import { Random, seedFrom } from '../../../tools/simulate/random.ts'
import { afterMoves, countsIn, even, mapAmong } from './parts.ts'

const nodes = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}`)

describe('shards are spread', () => {
  it.each([
    [1, 3],
    [3, 5],
    [1, 5],
  ])('from %i nodes over %i with no move too many', (before, after) => {
    const map = mapAmong(nodes(before))
    const moves = balancingMoves(nodes(after), map, even())
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
    const carried = [...carriedBy(nodes(3), afterMoves(map, moves), weights).values()]
    expect(Math.max(...carried)).toBeLessThan((weights.reduce((sum, each) => sum + each) / 3) * 1.3)
  })

  it('without what is pinned, moves already, or is frozen', () => {
    const map = mapAmong(['n0'])
    const places = map.places.map((place, shard) => {
      if (shard < 100) return { ...place, pinned: true }
      return shard < 200 ? { ...place, owner: null } : place
    })
    const moves = balancingMoves(nodes(2), { ...map, places }, even())
    expect(moves.length).toBe(56)
    expect(moves.every(({ shard }) => shard >= 200)).toBe(true)
    expect(balancingMoves(nodes(2), { ...map, frozen: true }, even())).toEqual([])
  })

  it('once: whatever their loads, nothing is left to move afterwards', () => {
    const seed = seedFrom(undefined)
    const random = new Random(seed)
    for (let round = 0; round < 200; round++) {
      const count = random.integer(2, 6)
      const shards = random.pick([3, 9, 32, 256])
      const weights = Array.from({ length: shards }, () => 0.2 + random.next() ** 3 * 8)
      let map = mapAmong(nodes(random.integer(1, count)), shards)
      map = afterMoves(map, balancingMoves(nodes(count), map, weights))
      expect(balancingMoves(nodes(count), map, weights), `seed ${seed}, round ${round}`).toEqual([])
    }
  })
})

describe('the weight of a shard', () => {
  it('is the same for all where next to nothing is measured', () => {
    const load = { shard: 3, eventsPerSecond: 0.5, bytesPerSecond: 10, residents: 2 }
    expect(new Set(weightsOf(8, new Map([[3, load]])))).toEqual(new Set([1]))
  })

  it('follows what it costs, with 1 as the mean, and is 1 for one that nobody has measured', () => {
    const loads = [300, 100, 100, 100].map((eventsPerSecond, shard) => {
      return [shard, { shard, eventsPerSecond, bytesPerSecond: 0, residents: 0 }] as const
    })
    const weights = weightsOf(5, new Map(loads))
    expect(weights[0]).toBeGreaterThan(1.4)
    expect(weights[4]).toBe(1)
    expect(weights.reduce((sum, each) => sum + each)).toBeCloseTo(5)
  })

  it('does not jump where a load goes up and down, and is that of any other while all of it is little', () => {
    const weightAt = (total: number): number => {
      const load = { shard: 0, eventsPerSecond: total, bytesPerSecond: 0, residents: 0 }
      const others = [1, 2, 3].map((shard) => [shard, { ...load, shard, eventsPerSecond: 0 }] as const)
      return weightsOf(4, new Map([[0, load], ...others]))[0] ?? Number.NaN
    }
    expect([5, 20, 50].map(weightAt)).toEqual([1, 1, 1])
    for (let total = 5; total < 300; total += 5)
      expect(weightAt(total + 5) - weightAt(total)).toBeLessThan(0.1)
    expect(weightAt(300)).toBeGreaterThan(2.5)
  })
})
