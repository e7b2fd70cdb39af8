import type { KeptPlace, KeptShardMap, MoveToCome } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { mustMove, takersOf } from './must-move.ts'

export type PlanningContext = {
  readonly alive: ReadonlySet<string>
  readonly weights: readonly number[]
  readonly movingMax: number
}

/** What spreads the load better, given a map in which all that must move is assigned. */
export type Spread = (map: KeptShardMap, takers: readonly string[]) => readonly ShardMove[]

/** The map that should follow this one; null where it should stay as it is. */
export const nextMap = (
  map: KeptShardMap,
  { alive, weights, movingMax }: PlanningContext,
  spread: Spread,
): KeptShardMap | null => {
  const buried = withoutDead(map, alive)
  const settled = withDesired(buried, mustMove(buried, alive, weights))
  const takers = takersOf(settled, alive)
  const { planned, begun } = beginPlanned(settled, alive, movingMax)
  const ordered = withDesired({ ...settled, planned }, begun)
  const room = movingMax - movingIn(ordered).length
  // An operator's moves come first, and nothing of our own is mixed into them.
  const own = planned.length === 0 && begun.length === 0 ? spread(ordered, takers) : []
  const next = withDesired(ordered, own.slice(0, Math.max(0, room)))
  return isSame(map, next) ? null : next
}

export const movingIn = ({ places }: Pick<KeptShardMap, 'places'>): readonly number[] =>
  [...places.keys()].filter((shard) => places[shard]?.owner !== places[shard]?.desired)

export const nodesNamedIn = ({ places, members }: KeptShardMap): ReadonlySet<string> => {
  const named = new Set(members.filter(({ state }) => state !== 'drained').map(({ node }) => node))
  for (const { owner, desired } of places) {
    if (owner !== null) named.add(owner)
    if (desired !== null) named.add(desired)
  }
  return named
}

export const withDesired = (
  map: KeptShardMap,
  moves: readonly Pick<ShardMove, 'shard' | 'to'>[],
): KeptShardMap => {
  if (moves.length === 0) return map
  const places = [...map.places]
  for (const { shard, to } of moves) {
    const place = places[shard]
    if (place !== undefined) places[shard] = { ...place, desired: to }
  }
  return { ...map, places }
}

/** That a node is gone says nothing of its epochs: whether it answered in one is for the log and the leases to tell. */
const withoutDead = (map: KeptShardMap, alive: ReadonlySet<string>): KeptShardMap => {
  const bury = (place: KeptPlace): KeptPlace =>
    place.owner === null || alive.has(place.owner) ? place : { ...place, owner: null, epoch: null }
  const members = map.members.filter(({ node, state }) => state === 'drained' || alive.has(node))
  return { ...map, places: map.places.map(bury), members }
}

/** Moves that have come to nothing are dropped; the others begin as soon as there is room. */
const beginPlanned = (
  map: KeptShardMap,
  alive: ReadonlySet<string>,
  movingMax: number,
): { readonly planned: readonly MoveToCome[]; readonly begun: readonly MoveToCome[] } => {
  if (map.frozen || map.planned.length === 0) return { planned: map.planned, begun: [] }
  const possible = map.planned.filter(({ shard, to }) => {
    const place = map.places[shard]
    return place !== undefined && !place.pinned && place.desired !== to && alive.has(to)
  })
  const room = Math.max(0, movingMax - movingIn(map).length)
  return { planned: possible.slice(room), begun: possible.slice(0, room) }
}

const isSame = (map: KeptShardMap, next: KeptShardMap): boolean =>
  map.members.length === next.members.length &&
  map.planned.length === next.planned.length &&
  map.places.every((place, shard) => {
    const other = next.places[shard]
    return place.owner === other?.owner && place.desired === other.desired
  })
