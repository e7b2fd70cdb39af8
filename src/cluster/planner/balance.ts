import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { Burdens } from './burden.ts'
import { EXCHANGE_WORTH, Spread } from './spread.ts'
import type { ShardWeights } from './weights.ts'

/** How far from the mean a node may be: beyond `begin` shards are moved, until all are within `end`. */
export const tolerances = { begin: 0.15, end: 0.08 }

/** Each of them makes a node that was too full by far no longer so. */
const EXCHANGES_MAX = 16

export const isUneven = (
  nodes: readonly string[],
  map: KeptShardMap,
  weights: ShardWeights,
  tolerance: number,
): boolean =>
  [...new Burdens(nodes, map, weights).fullnesses().values()].some(
    (fullness) => Math.abs(fullness - 1) > tolerance,
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
  const spread = new Spread(nodes, map, weights)
  spread.level(tolerance)
  const [plain, excess] = [spread.moves(), spread.excess(1 + tolerance)]
  for (let count = 0; count < EXCHANGES_MAX && spread.exchange(1 + tolerances.begin); count++)
    spread.level(tolerance)
  return spread.excess(1 + tolerance) <= excess - EXCHANGE_WORTH ? spread.moves() : plain
}
