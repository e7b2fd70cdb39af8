import type { LeaseSession } from './journal.ts'
import type { NodeLease } from './lease.ts'

/** Which nodes live, as this one knows it. */
export interface Membership {
  session(): LeaseSession | null
  /** The living nodes as last seen, sorted by name. */
  alive(): readonly NodeLease[]
}

/** Opens a shard's journal and serves its actors; closing finishes their work and hands the shard back. */
export interface ShardServer {
  /**
   * Resolves with the epoch. `releasedEpoch`: one that its owner said to have let go, so that the shard may be opened
   * although the log still names that owner.
   */
  open(shard: number, releasedEpoch?: number): Promise<number>
  /** Brings the copies up to date while the shard is served, so that a close that follows is short. */
  catchUp(shard: number): Promise<void>
  close(shard: number): Promise<void>
  /** Also false again once the shard was lost. */
  isOpen(shard: number): boolean
}
