import type { Directory, DirectoryRow } from '../../ports/directory.ts'
import type { ListOverviews } from '../../ports/list-overview.ts'
import type { ReplicaFile } from '../../ports/list-replicas.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'

export type ClusterListsPorts = {
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>
  readonly shards: number
  /** The names of the other nodes whose leases stand, as this node has last seen them. */
  readonly livingNodes: () => readonly string[]
  /** The same, read from the store: one that has joined again a moment ago may have what others have erased. */
  readonly readLivingNodes: () => Promise<readonly string[]>
  /** Of a shard that this node has open: the epoch of its `open` record. Null for any other. */
  readonly epochOf: (shard: number) => number | null
  /** False while the lease of this node is not confirmed: it answers nothing then, neither callers nor nodes. */
  readonly mayServe: () => boolean
  /** Which lease that is: another one after this node was taken for dead. Null while it has none. */
  readonly session: () => string | null
  /** This node's own file. */
  readonly file: ReplicaFile
  readonly list: Directory['list']
  readonly overview: ListOverviews['overview']
  readonly due: ListOverviews['due']
  /** Resolves when all that was committed before, on one or all of the shards that are followed here, is in the file. */
  readonly caughtUp: (shard?: number) => Promise<void>
  /** The rows of a record that this node owns, as the record is now. */
  readonly rowsOf: (recordId: string) => Promise<readonly DirectoryRow[]>
  /** The projector goes on with a shard from the place that the file has reached. */
  readonly follow: (shard: number) => void
  /** Something with another node failed and comes again. */
  readonly failed: (node: string, error: unknown) => void
}

export const clusterListsDefaults = {
  /** Between two answers to a node that nobody waits for: what changes several times in it is sent once. */
  gatherMs: 200,
  /** A node that asks for changes while there are none is answered after this time. */
  holdMs: 2_000,
  requestTimeoutMs: 5_000,
  /** Whoever begins with a shard waits so long for what each other node has of it. */
  peerMs: 1_000,
  /** After this time a list is answered although it may be slightly behind: late would be worse. */
  patienceMs: 200,
  /** Where a shard has no owner at the moment, its next one is looked for again after this time. */
  againMs: 20,
  /** Shards that were opened or lost, and nodes that came or went, are noticed after this time at the latest. */
  lookMs: 200,
  /** What must be right or fail: erasures, and what is deleted by the lists. */
  strictMs: 10_000,
  /** The log waits so long for a living node that does not follow; its shard comes from another node then. */
  logHeldMs: 600_000,
  listsWaitingMax: 128,
  /** Changes of organisations that some node has not heard of; beyond, every list waits for them. */
  recentMax: 10_000,
}

export type ClusterListsSettings = Readonly<typeof clusterListsDefaults>

/** Handed to every part of this room. */
export type Context = { readonly ports: ClusterListsPorts; readonly settings: ClusterListsSettings }
