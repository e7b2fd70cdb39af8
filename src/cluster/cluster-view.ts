import { refuse, type Refused } from '../domain/decider.ts'
import type { Journal, TailPosition } from '../ports/journal.ts'
import type { ClusterNode, ClusterShard, MovesUnderWay, MovingShard, ShardLag } from '../ports/cluster.ts'
import type { NodeLease } from '../ports/lease.ts'
import type { LinkPeer } from '../ports/node-link.ts'
import { AskFailed } from '../ports/actors.ts'
import type { KeptShardMap, MapMember, NodeLoads, ShardLoad } from '../ports/shard-map.ts'
import type { ShardOrders } from '../ports/shard-orders.ts'

export type ClusterPorts = {
  /** The node that answers the request. */
  readonly node: string
  readonly leases: () => Promise<readonly NodeLease[]>
  /** How the node that answers reaches the others. */
  readonly linkPeers: () => readonly LinkPeer[]
  /** The map as it is now. */
  readonly map: () => Promise<KeptShardMap>
  /** What each node last told of its shards. */
  readonly loads: () => Promise<readonly NodeLoads[]>
  /** Null where one process has everything to itself. */
  readonly orders: ShardOrders | null
  readonly isOpen: (shard: number) => boolean
  readonly journal: Pick<Journal, 'readTail'>
  /** How far the stream of events, and the lists of this node, have read the log of a shard. */
  readonly publishedUpTo: (shard: number) => Promise<TailPosition | null>
  readonly listedUpTo: (shard: number) => Promise<TailPosition | null>
}

/** A higher count would say no more, and costs a read of everything that is counted. */
export const LAG_COUNTED_MAX = 256

const RETRY_MS = 1_000

/** The nodes by name; those that died or left stay listed until their name is used again. */
export const clusterNodes = async (ports: ClusterPorts): Promise<readonly ClusterNode[]> => {
  const [leases, map, plan] = await retryably(() =>
    Promise.all([ports.leases(), ports.map(), ports.orders?.plan() ?? null]),
  )
  const shards = countsOf(map.places.map(({ owner }) => owner))
  const toCome = countsOf(map.places.map(({ owner, desired }) => (owner === desired ? null : desired)))
  const carried = new Map(plan?.nodes.map(({ node, before }) => [node, before]))
  const links = new Map(ports.linkPeers().map((peer) => [peer.node, peer]))
  return leases
    .map(({ node: id, address, state: status, reached }) => {
      const part = map.members.find(({ node }) => node === id)?.state ?? null
      const counts = { shards: shards.get(id) ?? 0, shardsToCome: toCome.get(id) ?? 0 }
      return {
        id,
        address,
        status,
        current: id === ports.node,
        part,
        ...counts,
        load: inHundredths(carried.get(id)),
        link: linkOf(links.get(id)),
        reaches: status === 'alive' || status === 'coming' ? (reached ?? null) : null,
      }
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const linkOf = (peer: LinkPeer | undefined): ClusterNode['link'] =>
  peer === undefined ? null : { state: peer.state, sinceMs: peer.sinceMs }

const inHundredths = (share: number | undefined): number | null =>
  share === undefined ? null : Math.round(share * 100) / 100

const countsOf = (names: readonly (string | null)[]): ReadonlyMap<string | null, number> => {
  const counts = new Map<string | null, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** The shards by number. */
export const clusterShards = async ({
  map,
  loads,
  isOpen,
}: Pick<ClusterPorts, 'map' | 'loads' | 'isOpen'>): Promise<readonly ClusterShard[]> => {
  const [{ places }, told] = await retryably(() => Promise.all([map(), loads()]))
  const measured = new Map(
    told.map(({ node, loads: ofNode }) => [node, new Map(ofNode.map((each) => [each.shard, each]))]),
  )
  return places.map(({ owner, desired, pinned }, number) => {
    const load = owner === null ? undefined : measured.get(owner)?.get(number)
    const moving = owner !== desired
    return { number, owner, desired, moving, pinned, servedHere: isOpen(number), load: costOf(load) }
  })
}

const costOf = (load: ShardLoad | undefined): ClusterShard['load'] => {
  if (load === undefined) return null
  const { eventsPerSecond, bytesPerSecond, residents } = load
  return { eventsPerSecond, bytesPerSecond, residents }
}

/** Everything that has another owner than it is to have, then what waits for these and what nobody was found for yet. */
export const movesUnderWay = async ({ map }: Pick<ClusterPorts, 'map'>): Promise<MovesUnderWay> => {
  const { version, frozen, places, members, planned } = await retryably(map)
  const moving: MovingShard[] = []
  const toCome: MovingShard[] = []
  const mustGo = nodesToEmpty(members)
  const ordered = new Map(planned.map(({ shard, to }) => [shard, to]))
  for (const [shard, { owner, desired, pinned }] of places.entries()) {
    const state = desired === null ? undefined : mustGo.get(desired)
    const to = ordered.get(shard) ?? null
    if (owner !== desired && desired !== null) moving.push({ shard, from: owner, to: desired })
    if (to !== null || desired === null || state === 'leaving' || (state === 'drained' && !pinned && !frozen))
      toCome.push({ shard, from: desired, to })
  }
  return { version, frozen, moving, toCome }
}

/** Nodes that are to have no shards; where no other takes any they keep what they have. */
const nodesToEmpty = (members: readonly MapMember[]): ReadonlyMap<string, MapMember['state']> =>
  members.some(({ state }) => state === 'taking')
    ? new Map(members.filter(({ state }) => state !== 'taking').map(({ node, state }) => [node, state]))
    : new Map()

/** The lag of the lists is only known for shards that this node serves, because it follows no others. */
export const lagOfShard = async (
  { journal, publishedUpTo, listedUpTo }: Pick<ClusterPorts, 'journal' | 'publishedUpTo' | 'listedUpTo'>,
  { number, servedHere }: Pick<ClusterShard, 'number' | 'servedHere'>,
): Promise<ShardLag> => {
  const after = async (position: Promise<TailPosition | null>): Promise<number> =>
    (await journal.readTail(number, await position, LAG_COUNTED_MAX)).length
  return retryably(async () => ({
    eventsBehind: await after(publishedUpTo(number)),
    listsBehind: servedHere ? await after(listedUpTo(number)) : null,
  }))
}

/** Orders go to whoever keeps the map. */
export const orderIn = async <Answer>(
  { orders }: Pick<ClusterPorts, 'orders'>,
  give: (orders: ShardOrders) => Promise<Answer>,
): Promise<Answer | Refused> =>
  orders === null
    ? refuse('no_cluster', 'This service is one process, which serves every shard itself.')
    : retryably(() => give(orders))

/** Turns a failure of the store into one that the caller may retry. */
const retryably = async <Value>(read: () => Promise<Value>): Promise<Value> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'retryable' in error && error.retryable === true)
      throw new AskFailed('unavailable', 'the store does not answer', RETRY_MS, { cause: error })
    throw error
  }
}
