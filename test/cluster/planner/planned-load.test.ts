import { describe, expect, it } from 'vitest'
import { seedFrom } from '../../../tools/simulate/random.ts'
import { type Cost, PlannedCluster } from './planned-cluster.ts'

const MINUTE_MS = 60_000
const SHARDS = 256
/** In five minutes, beside a hundred moves that it took before. */
const SETTLED_MOVES_MAX = 12
const flat: Cost = { eventsPerSecond: 4, bytesPerSecond: 4_000, residents: 40 }
const nodes = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `n${index + 1}`)
const largest = (shares: Readonly<Record<string, number>>): number => Math.max(...Object.values(shares))
const begin = async (seed: number, count: number): Promise<PlannedCluster> => {
  const cluster = new PlannedCluster(seed, () => flat)
  await cluster.join(...nodes(count))
  await cluster.pass(4 * MINUTE_MS)
  return cluster
}

/** So many shards have half of the events and bytes together; `records`: and half of the records in memory. */
const hotOrganisation =
  (hot: ReadonlySet<number>, records: boolean) =>
  (shard: number): Cost => {
    const times = hot.has(shard) ? (SHARDS - hot.size) / hot.size : 1
    const { eventsPerSecond, bytesPerSecond, residents } = flat
    return {
      eventsPerSecond: eventsPerSecond * times,
      bytesPerSecond: bytesPerSecond * times,
      residents: records ? residents * times : residents,
    }
  }

describe('an organisation with half of all traffic', () => {
  const counts = [3, 5].flatMap((count) => [2, 6, 12, 24, 48].map((hot) => [hot, count] as const))
  const cases = counts.flatMap(([hot, count]) =>
    (['on one node', 'everywhere'] as const).flatMap((where) =>
      [true, false].map((records) => ({ hot, count, where, records })),
    ),
  )
  it.each(cases)('on $hot shards $where of $count nodes ends spread ($records)', async (each) => {
    const { hot, count, where, records } = each
    const seed = seedFrom(undefined)
    const cluster = await begin(seed, count)
    const candidates = where === 'on one node' ? cluster.shardsOf('n1') : [...Array(SHARDS).keys()]
    const stride = Math.max(1, Math.floor(candidates.length / hot))
    const chosen = candidates.filter((_, index) => index % stride === 0).slice(0, hot)
    cluster.cost = hotOrganisation(new Set(chosen), records)
    const before = cluster.moves
    await cluster.pass(8 * MINUTE_MS)
    const told = `seed ${seed}: ${cluster.moves - before} moves`
    expect(largest(cluster.shares('eventsPerSecond')), told).toBeLessThanOrEqual(1.3)
    expect(largest(cluster.shares('bytesPerSecond')), told).toBeLessThanOrEqual(1.3)
    // What is measured is never quite what it was, and moves one or another.
    const settled = cluster.moves
    await cluster.pass(5 * MINUTE_MS)
    expect(cluster.moves - settled, told).toBeLessThanOrEqual(SETTLED_MOVES_MAX)
  })
})

describe('growth', () => {
  it('from 1 to 3 to 5 nodes and back takes hardly more moves than the least possible', async () => {
    const seed = seedFrom(undefined)
    const cluster = await begin(seed, 1)
    const taken: Record<string, readonly [number, number]> = {}
    const step = async (name: string, least: number, change: () => Promise<void>): Promise<void> => {
      const before = cluster.moves
      await change()
      await cluster.pass(4 * MINUTE_MS)
      const moves = cluster.moves - before
      taken[name] = [moves, least]
      expect(moves, `${name}, seed ${seed}: ${JSON.stringify(taken)}`).toBeLessThanOrEqual(least)
      expect(largest(cluster.shares('eventsPerSecond')), `${name}, seed ${seed}`).toBeLessThanOrEqual(1.2)
    }
    /** So many shards have to change their node, were they shared out exactly. */
    const least = (before: number, after: number): number =>
      Math.ceil((SHARDS * Math.abs(after - before)) / Math.max(before, after))
    await step('1 to 3', least(1, 3), () => cluster.join('n2', 'n3'))
    await step('3 to 5', least(3, 5), () => cluster.join('n4', 'n5'))
    await step('5 to 3', cluster.countOf('n4') + cluster.countOf('n5'), () => cluster.leave('n4', 'n5'))
    await step('3 to 1', cluster.countOf('n2') + cluster.countOf('n3'), () => cluster.leave('n2', 'n3'))
    await step('1 to 2', least(1, 2), () => cluster.join('n2'))
    await step('2 to 3', least(2, 3), () => cluster.join('n3'))
    const share = cluster.countOf('n3')
    await step('a restart', share + least(2, 3), async () => {
      await cluster.leave('n3')
      await cluster.join('n3')
    })
    process.stdout.write(`moves taken, and the least possible: ${JSON.stringify(taken)}\n`)
  })
})
