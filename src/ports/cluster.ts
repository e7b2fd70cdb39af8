import type { Refused } from '../domain/decider.ts'
import type { NodeLease } from './lease.ts'
import type { LinkPeer } from './node-link.ts'
import type { MapMember, ShardLoad } from './shard-map.ts'
import type { ShardOrders } from './shard-orders.ts'

export type ClusterNode = {
  readonly id: string
  readonly address: string
  readonly status: NodeLease['state']
  readonly current: boolean
  /** Null: it has no part in the map, and gets no shards. */
  readonly part: MapMember['state'] | null
  readonly shards: number
  /** Shards that it is to serve and does not serve yet. */
  readonly shardsToCome: number
  /** 1: as much as each would carry if all carried the same. Null where that is not known. */
  readonly load: number | null
  /** How the node that answers reaches it; null for itself, and where it knows of no link to it. */
  readonly link: Pick<LinkPeer, 'state' | 'sinceMs'> | null
  /** The nodes that it said it is connected to; null where it said nothing, or answers for nothing any more. */
  readonly reaches: readonly string[] | null
}

export type ClusterShard = {
  readonly number: number
  readonly owner: string | null
  readonly desired: string | null
  readonly moving: boolean
  readonly pinned: boolean
  readonly servedHere: boolean
  /** What the owner last measured. */
  readonly load: Omit<ShardLoad, 'shard'> | null
}

export type ShardLag = { readonly eventsBehind: number; readonly listsBehind: number | null }

/** `to`: null where that is not decided yet. */
export type MovingShard = { readonly shard: number; readonly from: string | null; readonly to: string | null }

/** What is on its way in the map, and what waits for that. When both are empty it is over. */
export type MovesUnderWay = {
  readonly version: number
  readonly frozen: boolean
  readonly moving: readonly MovingShard[]
  readonly toCome: readonly MovingShard[]
}

/** How long a request for a shard that moves waits. */
export type ExpectedPause = { readonly ms: number; readonly isMeasured: boolean }

/** What operators can see of the cluster, and order. */
export type ClusterView = {
  readonly nodes: () => Promise<readonly ClusterNode[]>
  readonly shards: () => Promise<readonly ClusterShard[]>
  readonly lagOf: (shard: ClusterShard) => Promise<ShardLag>
  readonly moves: () => Promise<MovesUnderWay>
  readonly expectedPause: () => ExpectedPause
  /** Refused with `no_cluster` where one process has everything to itself. */
  readonly order: <Answer>(give: (orders: ShardOrders) => Promise<Answer>) => Promise<Answer | Refused>
}
