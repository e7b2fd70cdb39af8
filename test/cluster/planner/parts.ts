import type { KeptShardMap, MapMember } from '../../../src/ports/shard-map.ts'
import { type PlanningContext, withDesired } from '../../../src/cluster/planner/next-map.ts'
import { returningDefaults } from '../../../src/cluster/planner/returning.ts'
import type { ShardWeights } from '../../../src/cluster/planner/weights.ts'
import type { ShardMove } from '../../../src/ports/shard-orders.ts'

/** A map in which nothing moves, the shards shared out among these nodes in turn. */
export const mapAmong = (nodes: readonly string[], shardCount = 256): KeptShardMap => ({
  version: 7,
  frozen: false,
  places: Array.from({ length: shardCount }, (_, shard) => {
    const node = nodes[shard % nodes.length] ?? null
    return { owner: node, desired: node, pinned: false, epoch: 1 }
  }),
  members: nodes.map((node) => ({ node, state: 'taking' })),
  planned: [],
  deaths: [],
})

/** What the planner is told beside the map, where nothing of it matters but who lives. */
export const planningFor = (
  alive: readonly string[],
  changes: Partial<PlanningContext> = {},
): PlanningContext => ({
  alive: new Set(alive),
  weights: even(),
  movingMax: 24,
  late: new Set(),
  leases: { settings: returningDefaults, ageMs: () => 0 },
  ...changes,
})

export const withMembers = (
  map: KeptShardMap,
  members: Readonly<Record<string, MapMember['state']>>,
): KeptShardMap => ({
  ...map,
  members: Object.entries(members).map(([node, state]) => ({ node, state })),
})

/** As if every move had been carried out. */
export const afterMoves = (map: KeptShardMap, moves: readonly ShardMove[]): KeptShardMap => {
  const moved = withDesired(map, moves)
  return { ...moved, places: moved.places.map((place) => ({ ...place, owner: place.desired })) }
}

export const countsIn = ({ places }: KeptShardMap): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { desired } of places) counts[String(desired)] = (counts[String(desired)] ?? 0) + 1
  return counts
}

export const even = (shardCount = 256): readonly number[] => Array.from({ length: shardCount }, () => 1)

/** Shards of which each has the same part of the traffic as of everything. */
export const alike = (weights: readonly number[] = even()): ShardWeights => ({
  all: weights,
  traffic: weights,
})
