import type { KeptShardMap, NodeLoads, ShardLoad } from '../../ports/shard-map.ts'
import { smoothedLoad } from '../smoothed-load.ts'

/** How much each measure says about what a shard costs; what is not measured leaves its part to the number of shards. */
const PARTS: Parts = { eventsPerSecond: 0.65, bytesPerSecond: 0.15, residents: 0.1 }

const PARTS_OF_TRAFFIC: Parts = { eventsPerSecond: 0.8, bytesPerSecond: 0.2, residents: 0 }

type Measure = Exclude<keyof ShardLoad, 'shard'>
type Parts = Readonly<Record<Measure, number>>

/**
 * In the whole cluster. Up to the first it is noise, by which nothing is to be moved, as any node carries that many times
 * over; from there to the second it counts more and more, so that no weight jumps where a load goes up and down.
 */
const COUNTS: Readonly<Record<Measure, { readonly from: number; readonly wholeAt: number }>> = {
  eventsPerSecond: { from: 50, wholeAt: 200 },
  bytesPerSecond: { from: 50_000, wholeAt: 200_000 },
  residents: { from: 1_000, wholeAt: 4_000 },
}

const MEASURES: readonly Measure[] = ['eventsPerSecond', 'bytesPerSecond', 'residents']

/** By number of shard; the mean of each is 1. */
export type ShardWeights = {
  /** Everything that is measured, and the number of shards for what is not. */
  readonly all: readonly number[]
  /** Events and bytes alone. */
  readonly traffic: readonly number[]
}

export const weightsOf = (shardCount: number, loads: ReadonlyMap<number, ShardLoad>): ShardWeights => ({
  all: weighed(shardCount, loads, PARTS),
  traffic: weighed(shardCount, loads, PARTS_OF_TRAFFIC),
})

/** Before anything is measured. */
export const evenWeights = (shardCount: number): ShardWeights => weightsOf(shardCount, new Map())

const weighed = (
  shardCount: number,
  loads: ReadonlyMap<number, ShardLoad>,
  parts: Parts,
): readonly number[] => {
  const totals = MEASURES.map((measure) => {
    let total = 0
    for (const load of loads.values()) total += load[measure]
    return { part: parts[measure] * countingOf(measure, total), measure, total }
  }).filter(({ part }) => part > 0)
  const measured = totals.reduce((sum, { part }) => sum + part, 0)
  return Array.from({ length: shardCount }, (_, shard) => {
    const load = loads.get(shard)
    let weight = 1 - measured
    // One that nobody has measured since it moved counts as an average one.
    for (const { part, measure, total } of totals)
      weight += load === undefined ? part : (part * loads.size * load[measure]) / total
    return weight
  })
}

const countingOf = (measure: Measure, total: number): number => {
  const { from, wholeAt } = COUNTS[measure]
  return Math.min(1, Math.max(0, (total - from) / (wholeAt - from)))
}

/** What is measured of one hot shard can be off by a seventh, and its node would give away and get back others with it. */
const NEWEST_PART = 0.2

/**
 * What the owner says counts, beside what was `known` before; a shard of which it says nothing yet has that, or what
 * anybody last said.
 */
export const loadsByShard = (
  { places }: KeptShardMap,
  told: readonly NodeLoads[],
  known: ReadonlyMap<number, ShardLoad> = new Map(),
): ReadonlyMap<number, ShardLoad> => {
  const loads = new Map(known)
  for (const { node, loads: ofNode } of told) {
    for (const load of ofNode) {
      if (loads.has(load.shard) && places[load.shard]?.owner !== node) continue
      loads.set(load.shard, smoothedLoad(known.get(load.shard), load, NEWEST_PART))
    }
  }
  return loads
}
