import { takersOf } from '../../../src/cluster/planner/must-move.ts'
import type { ClusterNode } from '../cluster-node.ts'
import type { Truth } from '../truth.ts'
import type { ModelMap } from './model-map.ts'

type Parts = {
  readonly names: readonly string[]
  readonly nodes: readonly ClusterNode[]
  readonly map: ModelMap
  readonly truth: Truth
  readonly shardCount: number
}

/** What the map and the nodes should agree on when all is quiet, and do not. */
export const unsettledIn = ({ names, nodes, map, truth, shardCount }: Parts): readonly string[] => {
  const { row } = map
  if (row === null) return ['there is no map']
  const missing: string[] = []
  const takers = takersOf(row, new Set(names))
  if (takers.length < names.length) missing.push(`only ${takers.join(' ')} take part`)
  if (row.frozen) missing.push('the map is frozen')
  const counts = new Map(names.map((name) => [name, 0]))
  for (let shard = 0; shard < shardCount; shard++) {
    const { owner, desired } = row.places[shard] ?? { owner: null, desired: null }
    if (owner === null || owner !== desired) missing.push(`shard ${shard} is between ${owner} and ${desired}`)
    const node = nodes.find(({ name }) => name === owner)
    if (node?.host.isOpen(shard) !== true || node.owner() !== truth.ownerOf(shard))
      missing.push(`shard ${shard} is not served by ${owner}`)
    if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  const pinned = row.places.filter((place) => place.pinned).length
  const most = Math.max(...counts.values())
  // Loads that go up and down make one shard count as nearly two, and the pinned ones stay where they are.
  if (most > Math.ceil(shardCount / names.length) + 1 + pinned) missing.push(`one node has ${most} shards`)
  return missing
}
