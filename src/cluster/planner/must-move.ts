import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { MoveReason, ShardMove } from '../../ports/shard-orders.ts'
import { carriedBy, leastCarrying } from './carried.ts'

/**
 * Living nodes that asked for a share and were let in. Where there is none, those that have died too often of late; and
 * where these are gone as well, those that operators drained.
 */
export const takersOf = ({ members }: KeptShardMap, alive: ReadonlySet<string>): readonly string[] => {
  const living = members.filter(({ node }) => alive.has(node))
  const taking = living.filter(({ state }) => state === 'taking')
  const letIn = taking.filter(({ isNew }) => isNew !== true)
  const [chosen = []] = [letIn, taking, living.filter(({ state }) => state === 'drained')].filter(
    ({ length }) => length > 0,
  )
  return chosen.map(({ node }) => node).toSorted()
}

/**
 * Shards whose node is gone, leaves or is to be empty, the hottest first, each to who carries least. What stays with a
 * living node stays: freezing and pinning hold for a node that is drained, and not for one that is about to be gone.
 */
export const mustMove = (
  map: KeptShardMap,
  alive: ReadonlySet<string>,
  weights: readonly number[],
): readonly ShardMove[] => {
  const takers = takersOf(map, alive)
  const carried = carriedBy(takers, map, weights)
  const reasons = new Map<number, MoveReason>()
  for (const shard of map.places.keys()) {
    const reason = reasonToMove(map, shard, alive, takers)
    if (reason !== null) reasons.set(shard, reason)
  }
  const hottestFirst = [...reasons].toSorted(
    ([one], [other]) => (weights[other] ?? 1) - (weights[one] ?? 1) || one - other,
  )
  return hottestFirst.flatMap(([shard, reason]) => {
    const to = leastCarrying(carried)
    if (to === null) return []
    carried.set(to, (carried.get(to) ?? 0) + (weights[shard] ?? 1))
    return [{ shard, from: map.places[shard]?.desired ?? null, to, reason }]
  })
}

const reasonToMove = (
  { places, members, frozen }: KeptShardMap,
  shard: number,
  alive: ReadonlySet<string>,
  takers: readonly string[],
): MoveReason | null => {
  const place = places[shard]
  const node = place?.desired ?? null
  if (node === null || !alive.has(node)) return 'dead'
  const state = members.find((member) => member.node === node)?.state
  if (state === 'leaving') return 'leaving'
  // What one that is not let in was given, by an order or because there was no other, it keeps.
  const stays = state === 'taking' || place?.pinned === true || frozen || takers.includes(node)
  return stays ? null : 'drained'
}
