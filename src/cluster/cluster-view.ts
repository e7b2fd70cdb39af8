import type { Journal, TailPosition } from '../ports/journal.ts'
import type { ClusterNode, ClusterShard, ShardLag } from '../ports/cluster.ts'
import type { NodeLease } from '../ports/lease.ts'
import { AskFailed } from '../ports/actors.ts'
import type { ShardPlace } from '../ports/shard-map.ts'

export type ClusterPorts = {
  /** The node that answers the request. */
  readonly node: string
  readonly leases: () => Promise<readonly NodeLease[]>
  /** Of every shard, by number, as the map has them now. */
  readonly places: () => Promise<readonly ShardPlace[]>
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
  const leases = await retryably(ports.leases)
  const counts = new Map<string | null, number>()
  for (const { node } of await clusterShards(ports)) counts.set(node, (counts.get(node) ?? 0) + 1)
  return leases
    .map(({ node: id, address, state: status }) => {
      return { id, address, status, current: id === ports.node, shards: counts.get(id) ?? 0 }
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** The shards by number. One that moves is shown with its owner, until that has let go. */
export const clusterShards = async ({ places, isOpen }: ClusterPorts): Promise<readonly ClusterShard[]> =>
  (await retryably(places)).map(({ owner, desired }, number) => {
    return { number, node: owner ?? desired, servedHere: isOpen(number) }
  })

/** The lag of the lists is only known for shards that this node serves, because it follows no others. */
export const lagOfShard = async (
  { journal, publishedUpTo, listedUpTo }: ClusterPorts,
  { number, servedHere }: ClusterShard,
): Promise<ShardLag> => {
  const after = async (position: Promise<TailPosition | null>): Promise<number> =>
    (await journal.readTail(number, await position, LAG_COUNTED_MAX)).length
  return retryably(async () => ({
    eventsBehind: await after(publishedUpTo(number)),
    listsBehind: servedHere ? await after(listedUpTo(number)) : null,
  }))
}

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
