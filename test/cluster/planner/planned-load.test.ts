import { describe, expect, it } from 'vitest'
import { Random, seedFrom } from '../../../tools/simulate/random.ts'
import { type Cost, PlannedCluster } from './planned-cluster.ts'

const MINUTE_MS = 60_000
const SHARDS = 256
/** What no node may have more of: 1 is the mean. */
const MOST = 1.3
/** In five minutes, beside a hundred moves that it took before: what is measured is never quite what it was. */
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

/** These shards have half of the events and bytes together; `records`: and half of the records in memory. */
const hotOrganisation = (hot: ReadonlyMap<number, number>, records: boolean) => {
  const parts = [...hot.values()].reduce((sum, part) => sum + part, 0)
  return (shard: number): Cost => {
    const part = hot.get(shard)
    const times = part === undefined ? 1 : ((SHARDS - hot.size) * part) / parts
    const { eventsPerSecond, bytesPerSecond, residents } = flat
    return {
      eventsPerSecond: eventsPerSecond * times,
      bytesPerSecond: bytesPerSecond * times,
      residents: records ? residents * times : residents,
    }
  }
}

/** What the node has that has most of the events, where each shard, the hottest first, is given to who has least. */
const sharedOut = (cost: (shard: number) => Cost, count: number): number => {
  const hottestFirst = Array.from({ length: SHARDS }, (_, shard) => cost(shard).eventsPerSecond).toSorted(
    (one, other) => other - one,
  )
  const carried = Array.from({ length: count }, () => 0)
  for (const events of hottestFirst) {
    const least = carried.indexOf(Math.min(...carried))
    carried[least] = (carried[least] ?? 0) + events
  }
  return (Math.max(...carried) * count) / hottestFirst.reduce((sum, events) => sum + events)
}

type Case = {
  readonly hot: number
  readonly count: number
  readonly where: 'on one node' | 'everywhere'
  readonly records: boolean
}

const chosenOf = (cluster: PlannedCluster, { hot, where }: Case): readonly number[] => {
  const candidates = where === 'on one node' ? cluster.shardsOf('n1') : [...Array(SHARDS).keys()]
  const stride = Math.max(1, Math.floor(candidates.length / hot))
  return candidates.filter((_, index) => index % stride === 0).slice(0, hot)
}

/** What the node has that has most, of events or bytes; and the moves afterwards, when only what is measured changes. */
const endOf = async (cluster: PlannedCluster, seed: string) => {
  const before = cluster.moves
  await cluster.pass(8 * MINUTE_MS)
  const shares = [cluster.shares('eventsPerSecond'), cluster.shares('bytesPerSecond')]
  const [most, settled] = [Math.max(...shares.map(largest)), cluster.moves]
  await cluster.pass(5 * MINUTE_MS)
  return { most, moves: cluster.moves - settled, told: `seed ${seed}: ${settled - before} moves` }
}

const endOfHalf = async (each: Case, seed: number) => {
  const cluster = await begin(seed, each.count)
  cluster.cost = hotOrganisation(new Map(chosenOf(cluster, each).map((shard) => [shard, 1])), each.records)
  return { least: sharedOut(cluster.cost, each.count), ...(await endOf(cluster, `${seed}`)) }
}

describe('an organisation with half of all traffic', () => {
  const counts = [3, 5].flatMap((count) => [2, 6, 12, 24, 48].map((hot) => [hot, count] as const))
  const cases = counts.flatMap(([hot, count]) =>
    (['on one node', 'everywhere'] as const).flatMap((where) =>
      [true, false].map((records): Case => ({ hot, count, where, records })),
    ),
  )
  it.each(cases)('on $hot shards $where of $count nodes ends spread ($records)', async (each) => {
    const { least, most, moves, told } = await endOfHalf(each, seedFrom(undefined))
    expect(least, 'it can be shared out at all').toBeLessThanOrEqual(MOST)
    expect(most, told).toBeLessThanOrEqual(MOST)
    expect(moves, told).toBeLessThanOrEqual(SETTLED_MOVES_MAX)
  })

  it.each([true, false])('leaves nothing beside a shard that fills a node (%s)', async (records) => {
    // With this seed either node of the two kept six others, and had 1.309 times the mean.
    const each: Case = { hot: 2, count: 5, where: 'everywhere', records }
    const { least, most, moves, told } = await endOfHalf(each, 584_923_535)
    expect(least).toBeCloseTo(1.25)
    expect(most, told).toBeLessThanOrEqual(MOST)
    expect(moves, told).toBeLessThanOrEqual(SETTLED_MOVES_MAX)
  })

  it('on some shards of which each has another part ends spread wherever that can be', async () => {
    const seed = seedFrom(undefined)
    const random = new Random(seed)
    for (let tried = 0, shown = 0; shown < 4; tried++) {
      const count = random.integer(3, 7)
      const hot = new Map(
        Array.from({ length: random.integer(2, 24) }, () => [random.below(SHARDS), 0.05 + random.next()]),
      )
      const cost = hotOrganisation(hot, random.oneIn(2))
      if (sharedOut(cost, count) > MOST) continue
      shown++
      const cluster = await begin(random.integer(1, 1_000_000), count)
      cluster.cost = cost
      const { most, moves, told } = await endOf(cluster, `${seed}, draw ${tried}`)
      expect(most, told).toBeLessThanOrEqual(MOST)
      expect(moves, told).toBeLessThanOrEqual(SETTLED_MOVES_MAX)
    }
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
