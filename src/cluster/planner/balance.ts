import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { carriedBy, leastCarrying, mostCarrying } from './carried.ts'

/** How far from the mean a node may be: beyond `begin` shards are moved, until all are within `end`. */
export const tolerances = { begin: 0.15, end: 0.08 }

/**
 * A move after which the other one carries more is worth its pause only where the two were this many weights of the shard
 * apart. Nearer to one, shards would go back and forth as their loads go up and down.
 */
const APART_LEAST = 1.5

/** One hot shard instead of many others, although one of the nodes passes the mean by it, is to be worth so many times as much. */
const PASSING_LEAST = 2

export const isUneven = (
  nodes: readonly string[],
  map: KeptShardMap,
  weights: readonly number[],
  tolerance: number,
): boolean => {
  const carried = [...carriedBy(nodes, map, weights).values()]
  const mean = carried.reduce((sum, weight) => sum + weight, 0) / carried.length
  return carried.some((weight) => Math.abs(weight - mean) > mean * tolerance)
}

/**
 * The moves after which every node is near the mean, as few as can be: always from who carries most to who carries
 * least, and each time the heaviest shard that makes neither pass the mean, or a hotter one that does much more for both.
 * What is pinned, or moves already, stays.
 */
export const balancingMoves = (
  nodes: readonly string[],
  map: KeptShardMap,
  weights: readonly number[],
  tolerance = tolerances.end,
): readonly ShardMove[] => {
  if (map.frozen || nodes.length < 2) return []
  const carried = carriedBy(nodes, map, weights)
  const mean = [...carried.values()].reduce((sum, weight) => sum + weight, 0) / nodes.length
  const movable = movableBy(map, weights)
  const sources = new Map(carried)
  const goals = new Map<number, string>()
  for (let steps = 0; steps < map.places.length * STEPS_PER_SHARD_MAX; steps++) {
    const [from, to] = [mostCarrying(sources), leastCarrying(carried)]
    if (from === null || to === null || from === to) break
    const [most, least] = [carried.get(from) ?? 0, carried.get(to) ?? 0]
    if (most <= mean * (1 + tolerance) && least >= mean * (1 - tolerance)) break
    const chosen = bestOf(movable.get(from) ?? [], { most, least, mean })
    if (chosen === null) {
      // Nothing of it can move: others may still have something for who carries least.
      sources.delete(from)
      continue
    }
    const others = (movable.get(from) ?? []).filter(({ shard }) => shard !== chosen.shard)
    movable.set(from, others).set(to, heaviestFirst([...(movable.get(to) ?? []), chosen]))
    goals.set(chosen.shard, to)
    carried.set(from, most - chosen.weight).set(to, least + chosen.weight)
    for (const node of [from, to]) if (sources.has(node)) sources.set(node, carried.get(node) ?? 0)
  }
  return movesTo(goals, map)
}

/** Each step makes the nodes more alike, so they end by themselves long before. */
const STEPS_PER_SHARD_MAX = 4

/** A shard that was moved on from where it had been moved to goes there at once. */
const movesTo = (goals: ReadonlyMap<number, string>, { places }: KeptShardMap): readonly ShardMove[] =>
  [...goals].flatMap(([shard, to]) => {
    const from = places[shard]?.desired ?? null
    return from === to ? [] : [{ shard, from, to, reason: 'balance' }]
  })

type Movable = { readonly shard: number; readonly weight: number }

const heaviestFirst = (shards: readonly Movable[]): readonly Movable[] =>
  shards.toSorted((one, other) => other.weight - one.weight || one.shard - other.shard)

const movableBy = ({ places }: KeptShardMap, weights: readonly number[]): Map<string, readonly Movable[]> => {
  const found = new Map<string, Movable[]>()
  for (const [shard, { owner, desired, pinned }] of places.entries()) {
    if (pinned || owner === null || owner !== desired) continue
    const ofNode = found.get(owner) ?? []
    ofNode.push({ shard, weight: weights[shard] ?? 1 })
    found.set(owner, ofNode)
  }
  return new Map([...found].map(([node, ofNode]) => [node, heaviestFirst(ofNode)]))
}

const bestOf = (
  shards: readonly Movable[],
  { most, least, mean }: { readonly most: number; readonly least: number; readonly mean: number },
): Movable | null => {
  const room = Math.min(most - mean, mean - least)
  /** By how much both together come nearer to the mean. */
  const gain = ({ weight }: Movable): number =>
    most - mean - Math.abs(most - weight - mean) + mean - least - Math.abs(least + weight - mean)
  const fits = shards.find(({ weight }) => weight <= room && weight > 0) ?? null
  const passes = shards
    .filter(({ weight }) => weight > room && weight * APART_LEAST <= most - least)
    .reduce<Movable | null>((best, each) => (best === null || gain(each) >= gain(best) ? each : best), null)
  if (fits === null || passes === null) return fits ?? passes
  return gain(passes) > gain(fits) * PASSING_LEAST ? passes : fits
}
