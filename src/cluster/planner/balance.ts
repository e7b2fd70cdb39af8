import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { Burdens } from './burden.ts'
import { Spread } from './spread.ts'
import type { ShardWeights } from './weights.ts'

/** How far from the mean a node may be: beyond `begin` shards are moved, until all are within `end`. */
export const tolerances = { begin: 0.15, end: 0.08 }

/** By how much less too full the nodes together have to be after an exchange, which moves many shards. */
const EXCHANGE_WORTH = 0.05

export const isUneven = (nodes: readonly string[], map: KeptShardMap, weights: ShardWeights): boolean =>
  [...new Burdens(nodes, map, weights).fullnesses().values()].some(
    (fullness) => Math.abs(fullness - 1) > tolerances.begin,
  )

/**
 * The moves after which every node is near the mean, as few as can be. Where single moves leave a node too full, some of
 * its hot shards change places with many small ones.
 */
export const balancingMoves = (
  nodes: readonly string[],
  map: KeptShardMap,
  weights: ShardWeights,
  tolerance = tolerances.end,
): readonly ShardMove[] => {
  if (map.frozen || nodes.length < 2) return []
  let spread = new Spread(nodes, map, weights)
  spread.level(tolerance)
  for (;;) {
    const exchanged = exchangedIn(spread, tolerance)
    const isWorth = exchanged.excess(1 + tolerance) <= spread.excess(1 + tolerance) - EXCHANGE_WORTH
    if (!isWorth) return spread.moves()
    spread = exchanged
  }
}

/** The shard that makes the others move stays where it went until they have moved. */
const exchangedIn = (spread: Spread, tolerance: number): Spread => {
  const exchanged = spread.copy()
  if (exchanged.exchange(1 + tolerances.begin)) exchanged.level(tolerance)
  const released = exchanged.copy()
  released.level(tolerance)
  return released
}
