import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { NodeLease } from '../../ports/lease.ts'
import type {
  ChangeableMap,
  KeptShardMap,
  MapChange,
  MapMember,
  ShardLoadStore,
} from '../../ports/shard-map.ts'
import type { MovePlan, ShardMove, ShardOrders } from '../../ports/shard-orders.ts'
import { balancingMoves } from './balance.ts'
import { carriedBy } from './carried.ts'
import { mustMove, takersOf } from './must-move.ts'
import { movingIn, withDesired } from './next-map.ts'
import { loadsByShard, type ShardWeights, weightsOf } from './weights.ts'

export type OrderPorts = {
  readonly map: ChangeableMap
  readonly leases: () => Promise<readonly NodeLease[]>
  readonly loads: Pick<ShardLoadStore, 'read'>
}

type Checked = (map: KeptShardMap, alive: ReadonlySet<string>) => ReturnType<MapChange> | Refused

/** What operators order becomes a change of the map, which the nodes then follow; each order may be repeated. */
export const shardOrders = (ports: OrderPorts): ShardOrders => {
  const { map } = ports
  const order = (decide: Checked) => ordered(ports, decide)
  const apply: ShardOrders['apply'] = (moves) => order((now, alive) => applied(now, alive, moves))
  return {
    list: () => map.refreshed(),
    plan: () => planFor(ports),
    planDrain: (node) => planDrain(ports, node),
    apply,
    rebalance: async () => apply((await planFor(ports)).moves.filter(({ reason }) => reason === 'balance')),
    move: (shard, to) => order((now, alive) => moved(now, alive, shard, to)),
    pin: (shard) => order((now) => pinned(now, shard, true)),
    unpin: (shard) => order((now) => pinned(now, shard, false)),
    drain: (node) => order((now, alive) => drained(now, alive, node)),
    takePart: (node) => order((now, alive) => takingPart(now, alive, node)),
    freeze: () => map.change((now) => frozen(now, true)),
    unfreeze: () => map.change((now) => frozen(now, false)),
    stop: () => map.change(stopped),
    progress: async () => {
      const now = await map.refreshed()
      return { version: now.version, moving: movingIn(now), toCome: now.planned.length }
    },
  }
}

const ordered = async ({ map, leases }: OrderPorts, decide: Checked): Promise<KeptShardMap | Refused> => {
  const alive = livingIn(await leases())
  await map.refreshed()
  const found: { refused: Refused | null } = { refused: null }
  // Decided again once it is written: every order finds then that there is nothing left to do.
  const after = await map.change((now) => {
    const decided = decide(now, alive)
    found.refused = isRefused(decided) ? decided : null
    return isRefused(decided) ? null : decided
  })
  return found.refused ?? after
}

const livingIn = (leases: readonly NodeLease[]): ReadonlySet<string> =>
  new Set(leases.filter(({ state }) => state === 'alive').map(({ node }) => node))

const planFor = async (ports: OrderPorts): Promise<MovePlan> => {
  const seen = await seenNow(ports)
  const { map, alive, weights } = seen
  const first = mustMove(map, alive, weights.all)
  const spread = balancingMoves(takersOf(map, alive), withDesired(map, first), weights)
  return planOf(seen, [...first, ...spread])
}

/** Where its shards would go as things are; what they cost may have changed when the order is given. */
const planDrain = async (ports: OrderPorts, node: string): Promise<MovePlan | Refused> => {
  const seen = await seenNow(ports)
  const { map, alive, weights } = seen
  const decided = drained(map, alive, node)
  if (isRefused(decided)) return decided
  const after = { ...(decided ?? map), version: map.version }
  return planOf(
    seen,
    mustMove(after, alive, weights.all).filter(({ from }) => from === node),
  )
}

type Seen = {
  readonly map: KeptShardMap
  readonly alive: ReadonlySet<string>
  readonly weights: ShardWeights
}

const seenNow = async ({ map: changeable, leases, loads }: OrderPorts): Promise<Seen> => {
  const alive = livingIn(await leases())
  const [map, told] = await Promise.all([changeable.refreshed(), loads.read()])
  return { map, alive, weights: weightsOf(map.places.length, loadsByShard(map, told)) }
}

/** What nodes carry is told by the mean of now, also where a node is to have nothing afterwards. */
const planOf = ({ map, alive, weights }: Seen, moves: readonly ShardMove[]): MovePlan => {
  const names = [...alive].toSorted()
  const after = carriedBy(names, withDesired(map, moves), weights.all)
  const mean = map.places.length / Math.max(1, takersOf(map, alive).length)
  const nodes = [...carriedBy(names, map, weights.all)].map(([node, carries]) => {
    return { node, before: carries / mean, after: (after.get(node) ?? 0) / mean }
  })
  return { version: map.version, moves, nodes }
}

const applied = (
  map: KeptShardMap,
  alive: ReadonlySet<string>,
  moves: readonly Pick<ShardMove, 'shard' | 'from' | 'to'>[],
): ReturnType<Checked> => {
  if (map.frozen) return refuse('move_not_possible', FROZEN)
  for (const { shard, from, to } of moves) {
    const place = map.places[shard]
    if (place === undefined) return refuse('not_found', `There is no shard ${shard}.`)
    if (!alive.has(to)) return refuse('plan_outdated', `There is no living node ${to}: make a new plan.`)
    if (!takesOrders(map, alive, to)) return refuse('move_not_possible', `The node ${to} takes no shards.`)
    if (place.pinned) return refuse('move_not_possible', `Shard ${shard} is pinned.`)
    if (place.desired !== from && place.desired !== to)
      return refuse('plan_outdated', `Shard ${shard} is elsewhere by now: make a new plan.`)
  }
  const wanted = moves.filter(({ shard, to }) => map.places[shard]?.desired !== to)
  const planned = wanted.map(({ shard, to }) => ({ shard, to }))
  return JSON.stringify(planned) === JSON.stringify(map.planned) ? null : { ...map, planned }
}

const moved = (
  map: KeptShardMap,
  alive: ReadonlySet<string>,
  shard: number,
  to: string,
): ReturnType<Checked> => {
  const place = map.places[shard]
  if (place === undefined) return refuse('not_found', `There is no shard ${shard}.`)
  if (!alive.has(to)) return refuse('not_found', `There is no living node ${to}.`)
  if (place.desired === to) return null
  if (!takesOrders(map, alive, to)) return refuse('move_not_possible', `The node ${to} takes no shards.`)
  if (map.frozen) return refuse('move_not_possible', FROZEN)
  if (place.pinned) return refuse('move_not_possible', `Shard ${shard} is pinned.`)
  return withDesired(map, [{ shard, to }])
}

/** A shard that is pinned while it moves stays where it is to be. */
const pinned = (map: KeptShardMap, shard: number, isPinned: boolean): ReturnType<Checked> => {
  const place = map.places[shard]
  if (place === undefined) return refuse('not_found', `There is no shard ${shard}.`)
  if (place.pinned === isPinned) return null
  const places = map.places.with(shard, { ...place, pinned: isPinned })
  return { ...map, places, planned: map.planned.filter((move) => move.shard !== shard) }
}

const drained = (map: KeptShardMap, alive: ReadonlySet<string>, node: string): ReturnType<Checked> => {
  const member = map.members.find((each) => each.node === node)
  if (member === undefined && !alive.has(node)) return refuse('not_found', `There is no node ${node}.`)
  if (member?.state === 'drained' || member?.staysDrained === true) return null
  const others = takersOf(map, alive).filter((each) => each !== node)
  if (others.length === 0) return refuse('move_not_possible', 'No other node is there to take its shards.')
  const isStopping = member?.state === 'leaving'
  return withMember(map, isStopping ? { ...member, staysDrained: true } : { node, state: 'drained' })
}

const takingPart = (map: KeptShardMap, alive: ReadonlySet<string>, node: string): ReturnType<Checked> => {
  const member = map.members.find((each) => each.node === node)
  if (member === undefined && !alive.has(node)) return refuse('not_found', `There is no node ${node}.`)
  if (member?.state === 'leaving') return refuse('move_not_possible', `The node ${node} is stopping.`)
  if (member?.state === 'taking' && member.isNew !== true) return null
  return withMember(map, { node, state: 'taking' })
}

const withMember = (map: KeptShardMap, member: MapMember): KeptShardMap => {
  const others = map.members.filter(({ node }) => node !== member.node)
  const members = [...others, member].toSorted((one, other) => (one.node < other.node ? -1 : 1))
  return { ...map, members }
}

const frozen = (map: KeptShardMap, isFrozen: boolean): ReturnType<MapChange> =>
  map.frozen === isFrozen ? null : { ...map, frozen: isFrozen }

/** Whoever has begun to let go ends it, and opens the shard again. What is pinned stays where it was to be then. */
const stopped: MapChange = (map) => {
  const taking = new Set(map.members.filter(({ state }) => state === 'taking').map(({ node }) => node))
  const back = [...map.places].flatMap(({ owner, desired, pinned: isPinned }, shard) =>
    owner !== null && owner !== desired && !isPinned && taking.has(owner) ? [{ shard, to: owner }] : [],
  )
  return back.length === 0 && map.planned.length === 0 ? null : withDesired({ ...map, planned: [] }, back)
}

/** Also to a node that would be given nothing yet: whoever gives an order knows more than the plan does. */
const takesOrders = (map: KeptShardMap, alive: ReadonlySet<string>, to: string): boolean =>
  takersOf(map, alive).includes(to) ||
  (alive.has(to) && map.members.some(({ node, state }) => node === to && state === 'taking'))

const FROZEN = 'The map is frozen: nothing is moved until it is unfrozen.'
