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

/** A place with what the nodes tell each other about its hand-off. */
export type KeptPlace = ShardPlace & {
  /**
   * The epoch in which the owner opened the shard. Where there is no owner: an epoch that nobody answers for any more,
   * because the node that had it said so when it had let go; null where nobody said anything.
   */
  readonly epoch: number | null
}

/** `taking`: it asked for a share. `leaving`: it stops, and its shards go first. `drained`: operators keep it empty. */
export type MapMember = {
  readonly node: string
  readonly state: 'taking' | 'leaving' | 'drained'
  /** The process that said so: where another of the same name comes, this one has died. */
  readonly life?: string
  /** It has asked and is not let in yet: one that died again and again is given nothing until its lease has lasted. */
  readonly isNew?: true
  /** It found an earlier process of its name among the living, of whose death nobody else has noticed. */
  readonly hasDied?: true
  /** Of one that stops: operators keep it empty also when it comes back. */
  readonly staysDrained?: true
}

/** How often a node has died since its lease last lasted for long. */
export type NodeDeaths = { readonly node: string; readonly count: number }

/** A move that an operator applied and that has not begun. */
export type MoveToCome = { readonly shard: number; readonly to: string }

/** The map with what only those who change it need. */
export type KeptShardMap = Omit<ShardMap, 'places'> & {
  readonly places: readonly KeptPlace[]
  /** By name. A node without an entry gets no shards. */
  readonly members: readonly MapMember[]
  readonly planned: readonly MoveToCome[]
  /** Who died last stands last. */
  readonly deaths: readonly NodeDeaths[]
}

export interface ShardMapStore {
  read(): Promise<KeptShardMap | null>
  /** Writes `next` where the version in the store is the one before it. False when another node was faster. */
  replace(next: KeptShardMap): Promise<boolean>
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

/** What a change of the map does; null where there is nothing to do. It may be asked again, of a newer map. */
export type MapChange = (map: KeptShardMap) => Omit<KeptShardMap, 'version'> | null

/** The map for those who change it. */
export interface ChangeableMap extends ShardMapView {
  current(): KeptShardMap
  refreshed(atLeastVersion?: number): Promise<KeptShardMap>
  /** Resolves with a map in which there is nothing left to change. Rejects with a retryable error when the store is away. */
  change(decide: MapChange): Promise<KeptShardMap>
}

/** What a shard costs its node, measured there over the last minute. */
export type ShardLoad = {
  readonly shard: number
  readonly eventsPerSecond: number
  readonly bytesPerSecond: number
  /** Records in memory. */
  readonly residents: number
}

export type NodeLoads = { readonly node: string; readonly loads: readonly ShardLoad[] }

/** What each node last told of the shards that it serves. Nothing depends on it but how evenly shards are spread. */
export interface ShardLoadStore {
  tell(told: NodeLoads): Promise<void>
  read(): Promise<readonly NodeLoads[]>
}
