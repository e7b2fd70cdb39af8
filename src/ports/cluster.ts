import type { NodeLease } from './lease.ts'

export type ClusterNode = {
  readonly id: string
  readonly address: string
  readonly status: NodeLease['state']
  readonly current: boolean
  readonly shards: number
}

export type ClusterShard = {
  readonly number: number
  readonly node: string | null
  readonly servedHere: boolean
}

export type ShardLag = { readonly eventsBehind: number; readonly listsBehind: number | null }

/** What operators can see of the cluster. */
export type ClusterView = {
  readonly nodes: () => Promise<readonly ClusterNode[]>
  readonly shards: () => Promise<readonly ClusterShard[]>
  readonly lagOf: (shard: ClusterShard) => Promise<ShardLag>
}
