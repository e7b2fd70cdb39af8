import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { carriedBy, leastCarrying, mostCarrying } from './carried.ts'

/** How far from the mean a node may be: beyond `begin` shards are moved, until all are within `end`. */
export const tolerances = { begin: 0.2, end: 0.08 }

/**
 * A move after which the other one carries more is worth its pause only where the two were this many weights of the shard
 * apart. Nearer to one, shards would go back and forth as their loads go up and down.
 */
const APART_LEAST = 1.5

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
 * least, and each time the heaviest shard that makes neither pass the mean. What is pinned, or moves already, stays.
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
  const moves: ShardMove[] = []
  while (moves.length < map.places.length) {
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
    movable.set(
      from,
      (movable.get(from) ?? []).filter(({ shard }) => shard !== chosen.shard),
    )
    carried.set(from, most - chosen.weight).set(to, least + chosen.weight)
    sources.set(from, most - chosen.weight)
    if (sources.has(to)) sources.set(to, least + chosen.weight)
    moves.push({ shard: chosen.shard, from, to, reason: 'balance' })
  }
  return moves
}

type Movable = { readonly shard: number; readonly weight: number }

/** The heaviest first. */
const movableBy = ({ places }: KeptShardMap, weights: readonly number[]): Map<string, readonly Movable[]> => {
  const found = new Map<string, Movable[]>()
  for (const [shard, { owner, desired, pinned }] of places.entries()) {
    if (pinned || owner === null || owner !== desired) continue
    const ofNode = found.get(owner) ?? []
    ofNode.push({ shard, weight: weights[shard] ?? 1 })
    found.set(owner, ofNode)
  }
  for (const ofNode of found.values()) ofNode.sort((one, other) => other.weight - one.weight)
  return found
}

const bestOf = (
  heaviestFirst: readonly Movable[],
  { most, least, mean }: { readonly most: number; readonly least: number; readonly mean: number },
): Movable | null => {
  const room = Math.min(most - mean, mean - least)
  const fits = heaviestFirst.find(({ weight }) => weight <= room && weight > 0)
  if (fits !== undefined) return fits
  const lightest = heaviestFirst.findLast(({ weight }) => weight > 0)
  return lightest !== undefined && most - least >= lightest.weight * APART_LEAST ? lightest : null
}
