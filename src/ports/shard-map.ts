/** Where one shard is to be. Advice to those who ask: that a node owns a shard is proved by the log's `open` record alone. */
export type ShardPlace = {
  /** The node that serves the shard, as far as the map knows; null before the first one and after its owner died. */
  readonly owner: string | null
  /** The node that is to serve it; another than the owner while the shard moves. */
  readonly desired: string | null
  /** Operators have said where it stays. */
  readonly pinned: boolean
}

/** One row in the store, changed as a whole by a conditional write on its version. */
export type ShardMap = {
  readonly version: number
  /** While operators have it frozen nothing moves but what a dead node leaves behind. */
  readonly frozen: boolean
  /** By number of shard. */
  readonly places: readonly ShardPlace[]
}

export interface ShardMapStore {
  read(): Promise<ShardMap | null>
  /** Writes `next` where the version in the store is the one before it. False when another node was faster. */
  replace(next: ShardMap): Promise<boolean>
}

/** The newest map that this node has seen. */
export interface ShardMapView {
  current(): ShardMap
  /** The node to ask for a shard: its owner, or while it moves and the owner has let go, who is to have it. */
  ownerOf(shard: number): string | null
  /** Reads the map again, at once where the caller has heard of a newer version, and shares one read among all who wait. */
  refreshed(atLeastVersion?: number): Promise<ShardMap>
  onChange(listener: (map: ShardMap) => void): () => void
}
