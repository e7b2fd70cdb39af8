import type { KeptShardMap, NodeLoads, ShardLoad } from '../../ports/shard-map.ts'

/** How much each measure says about what a shard costs; what is not measured leaves its part to the number of shards. */
const PARTS = { eventsPerSecond: 0.65, bytesPerSecond: 0.15, residents: 0.1 } as const

type Measure = keyof typeof PARTS

/** Less than this in the whole cluster is noise, by which nothing is to be moved. */
const LEAST: Readonly<Record<Measure, number>> = {
  eventsPerSecond: 5,
  bytesPerSecond: 5_000,
  residents: 1_000,
}

const MEASURES = Object.keys(PARTS) as readonly Measure[]

/** By number of shard; their mean is 1. */
export const weightsOf = (shardCount: number, loads: ReadonlyMap<number, ShardLoad>): readonly number[] => {
  const totals = MEASURES.map((measure) => {
    let total = 0
    for (const load of loads.values()) total += load[measure]
    return { measure, total }
  }).filter(({ measure, total }) => total >= LEAST[measure])
  const measured = totals.reduce((sum, { measure }) => sum + PARTS[measure], 0)
  return Array.from({ length: shardCount }, (_, shard) => {
    const load = loads.get(shard)
    let weight = 1 - measured
    // One that nobody has measured since it moved counts as an average one.
    for (const { measure, total } of totals)
      weight += load === undefined ? PARTS[measure] : (PARTS[measure] * loads.size * load[measure]) / total
    return weight
  })
}

/** What the owner says counts; a shard of which it says nothing yet has what was `known`, or what anybody last said. */
export const loadsByShard = (
  { places }: KeptShardMap,
  told: readonly NodeLoads[],
  known: ReadonlyMap<number, ShardLoad> = new Map(),
): ReadonlyMap<number, ShardLoad> => {
  const loads = new Map(known)
  for (const { node, loads: ofNode } of told) {
    for (const load of ofNode) {
      if (!loads.has(load.shard) || places[load.shard]?.owner === node) loads.set(load.shard, load)
    }
  }
  return loads
}
