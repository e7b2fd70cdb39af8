import type { KeptShardMap } from '../../ports/shard-map.ts'

/** What each of these nodes carries or is about to, by the weights of the shards that it is to serve. */
export const carriedBy = (
  nodes: readonly string[],
  { places }: Pick<KeptShardMap, 'places'>,
  weights: readonly number[],
): Map<string, number> => {
  const carried = new Map(nodes.map((node) => [node, 0]))
  for (const [shard, { desired }] of places.entries()) {
    const before = desired === null ? undefined : carried.get(desired)
    if (desired !== null && before !== undefined) carried.set(desired, before + (weights[shard] ?? 1))
  }
  return carried
}

/** Of several that carry the same, the first by name. */
export const leastCarrying = (carried: ReadonlyMap<string, number>): string | null => extreme(carried, -1)

export const mostCarrying = (carried: ReadonlyMap<string, number>): string | null => extreme(carried, 1)

const extreme = (carried: ReadonlyMap<string, number>, sign: 1 | -1): string | null => {
  let found: string | null = null
  let best = Number.NEGATIVE_INFINITY
  for (const [node, weight] of carried) {
    if (weight * sign <= best) continue
    best = weight * sign
    found = node
  }
  return found
}
