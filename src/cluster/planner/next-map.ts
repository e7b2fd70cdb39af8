import type { KeptPlace, KeptShardMap, MapMember, MoveToCome } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { mustMove, takersOf } from './must-move.ts'
import { type Leases, withDeath, withLetIn } from './returning.ts'

export type PlanningContext = {
  readonly alive: ReadonlySet<string>
  readonly weights: readonly number[]
  readonly movingMax: number
  /** Shards on their way that take no place from others. */
  readonly late: ReadonlySet<number>
  readonly leases: Leases
}

/** What spreads the load better, given a map in which all that must move is assigned. */
export type Spread = (map: KeptShardMap, takers: readonly string[]) => readonly ShardMove[]

/** The map that should follow this one; null where it should stay as it is. */
export const nextMap = (
  map: KeptShardMap,
  { alive, weights, movingMax, late, leases }: PlanningContext,
  spread: Spread,
): KeptShardMap | null => {
  const roomIn = (seen: KeptShardMap): number => Math.max(0, movingMax - arrivingIn(seen, late).length)
  const known = withLetIn(withoutDead(map, alive), leases)
  const settled = withDesired(known, mustMove(known, alive, weights))
  const takers = takersOf(settled, alive)
  const { planned, begun } = beginPlanned(settled, alive, roomIn(settled))
  const ordered = withDesired({ ...settled, planned }, begun)
  // An operator's moves come first, and nothing of our own is mixed into them.
  const own = planned.length === 0 && begun.length === 0 ? spread(ordered, takers) : []
  const next = withDesired(ordered, own.slice(0, roomIn(ordered)))
  return isSame(map, next) ? null : next
}

export const movingIn = ({ places }: Pick<KeptShardMap, 'places'>): readonly number[] =>
  [...places.keys()].filter((shard) => places[shard]?.owner !== places[shard]?.desired)

/** Those that are on their way and can be expected. */
export const arrivingIn = (map: KeptShardMap, late: ReadonlySet<number>): readonly number[] =>
  movingIn(map).filter((shard) => !late.has(shard))

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
  const members = map.members.flatMap((member): readonly MapMember[] => {
    const { node, state, staysDrained } = member
    if (state === 'drained' || alive.has(node)) return [member]
    return staysDrained === true ? [{ node, state: 'drained' }] : []
  })
  const died = map.members.filter(({ node, state }) => state === 'taking' && !alive.has(node))
  const { deaths } = died.reduce((now, { node }) => withDeath(now, node), map)
  return { ...map, places: map.places.map(bury), members, deaths }
}

/** Moves that have come to nothing are dropped; the others begin as soon as there is room. */
const beginPlanned = (
  map: KeptShardMap,
  alive: ReadonlySet<string>,
  room: number,
): { readonly planned: readonly MoveToCome[]; readonly begun: readonly MoveToCome[] } => {
  if (map.frozen || map.planned.length === 0) return { planned: map.planned, begun: [] }
  const possible = map.planned.filter(({ shard, to }) => {
    const place = map.places[shard]
    return place !== undefined && !place.pinned && place.desired !== to && alive.has(to)
  })
  return { planned: possible.slice(room), begun: possible.slice(0, room) }
}

const isSame = (map: KeptShardMap, next: KeptShardMap): boolean =>
  areSame(map.members, next.members) &&
  areSame(map.deaths, next.deaths) &&
  map.planned.length === next.planned.length &&
  map.places.every((place, shard) => {
    const other = next.places[shard]
    return place.owner === other?.owner && place.desired === other.desired
  })

const areSame = <Item>(some: readonly Item[], others: readonly Item[]): boolean =>
  some.length === others.length && some.every((item, index) => item === others[index])
