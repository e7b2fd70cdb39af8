import type { Refused } from '../domain/decider.ts'
import type { KeptShardMap } from './shard-map.ts'

/**
 * `dead`: its node is gone. `leaving`, `drained`: its node is to be empty. `balance`: its node has more than its share.
 * `order`: an operator said so.
 */
export type MoveReason = 'dead' | 'leaving' | 'drained' | 'balance' | 'order'

export type ShardMove = {
  readonly shard: number
  readonly from: string | null
  readonly to: string
  readonly reason: MoveReason
}

/** What moves, and how much each node carries before and after it; 1 is what each carries where all carry the same. */
export type MovePlan = {
  /** Of the map that it was made for. */
  readonly version: number
  readonly moves: readonly ShardMove[]
  readonly nodes: readonly {
    readonly node: string
    readonly before: number
    readonly after: number
  }[]
}

/** What is under way: shards that have another owner than they are to have, and moves that wait for these. */
export type MoveProgress = {
  readonly version: number
  readonly moving: readonly number[]
  readonly toCome: number
}

/** What operators can order. Each answer is the map after it, which is in the store. */
export interface ShardOrders {
  list(): Promise<KeptShardMap>
  /** Moves that would spread the load evenly; nothing is changed. */
  plan(): Promise<MovePlan>
  /** Where the shards of a node would go if it were drained now. */
  planDrain(node: string): Promise<MovePlan | Refused>
  /**
   * Refused with `plan_outdated` when the map has changed since in what the plan is about, and with `move_not_possible`
   * where a shard is pinned, the map frozen or a node takes no shards.
   */
  apply(moves: readonly Pick<ShardMove, 'shard' | 'from' | 'to'>[]): Promise<KeptShardMap | Refused>
  /** Plans and applies. */
  rebalance(): Promise<KeptShardMap | Refused>
  move(shard: number, to: string): Promise<KeptShardMap | Refused>
  pin(shard: number): Promise<KeptShardMap | Refused>
  unpin(shard: number): Promise<KeptShardMap | Refused>
  /** Keeps a node empty, also after it was restarted, until it may take part again. */
  drain(node: string): Promise<KeptShardMap | Refused>
  takePart(node: string): Promise<KeptShardMap | Refused>
  freeze(): Promise<KeptShardMap>
  unfreeze(): Promise<KeptShardMap>
  /** Takes back every move whose owner has not let go. */
  stop(): Promise<KeptShardMap>
  progress(): Promise<MoveProgress>
}
