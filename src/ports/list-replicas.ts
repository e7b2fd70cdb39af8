/**
 * The place of a change among all changes of one shard's rows: the epoch of the owner that made it, and a count within
 * it, in one number, so that what a later owner changes is later than all before.
 */
export type Rev = number

const REVS_PER_EPOCH = 2 ** 32
export const firstRevOf = (epoch: number): Rev => epoch * REVS_PER_EPOCH
export const epochOfRev = (rev: Rev): number => Math.floor(rev / REVS_PER_EPOCH)

export type ShardRev = { readonly shard: number; readonly rev: Rev }

/** Changes after this place; a file that is being filled has no history that could part from the sender's. */
export type WantedChanges = ShardRev & { readonly isFilling?: boolean }

/** A row as every node can name it; numbers of rows differ from file to file. */
export type RowKey = { readonly tenant: string; readonly kind: string; readonly id: string }

/** Up to where a file has the rows of a shard; `isWhole` is false while it is filled anew. */
export type ReplicaState = ShardRev & { readonly isWhole: boolean }

/** What became of one shard when changes were applied. */
export type Applied = ShardRev & {
  /** `more`: the answer was cut. `back`: rows after `to` are in question. `anew`: the shard is to be filled anew. */
  readonly outcome: 'all' | 'more' | 'ignored' | 'back' | 'anew'
  /** The last change that the sender has. */
  readonly newest: Rev
  readonly to: Rev
  readonly isFilling: boolean
}

/** All rows of one record as its owner's file has them at `rev`; there may be none. */
export type RowsAtOwner = ShardRev & { readonly recordId: string; readonly bytes: Uint8Array }

export type TermToOpen = { readonly shard: number; readonly epoch: number }

/** What one file must be able to do so that files of several nodes become equal. Texts of rows travel as bytes only. */
export interface ReplicaFile {
  states(): Promise<readonly ReplicaState[]>
  /** What changed in these shards after these places, as bytes for another node's `apply`. Null where it has nothing to say. */
  changesAfter(
    wanted: readonly WantedChanges[],
  ): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean } | null>
  /** Rows and places in one transaction. Changes that do not begin where the file stands are ignored. */
  apply(bytes: Uint8Array): Promise<readonly Applied[]>
  /** The rows that were changed or went after `to`; null when they are too many to be asked for one by one. */
  inQuestion(at: ShardRev & { readonly to: Rev }): Promise<readonly RowKey[] | null>
  /** These rows as they are here, as bytes for `settle`. */
  rowsOf(wanted: { readonly shard: number; readonly keys: readonly RowKey[] }): Promise<Uint8Array>
  /** Takes the rows in question as the other node has them, or has them no more, and goes back to `to`. */
  settle(
    answer: ShardRev & {
      readonly to: Rev
      readonly keys: readonly RowKey[]
      readonly bytes: Uint8Array
    },
  ): Promise<ShardRev>
  /** Marks the rows of a shard that stands at `rev` as old: what is not mentioned again until the shard is whole goes. */
  fillAnew(at: ShardRev): Promise<ShardRev>
  /** From here on the changes of these shards are made here. Answers with those whose epoch is the newest. */
  openTerms(terms: readonly TermToOpen[]): Promise<readonly ShardRev[]>
  /** Takes rows out of a shard that is owned here; other files learn it as a change. */
  unlistKeys(order: TermToOpen & { readonly keys: readonly RowKey[] }): Promise<ShardRev>
  /** Of a record whose lists nobody else knows any more. */
  keysOfRecord(of: { readonly shard: number; readonly recordId: string }): Promise<readonly RowKey[]>
  keysOf(rows: readonly number[]): Promise<readonly (RowKey & { readonly shard: number })[]>
  /** A sweep has been through these rows; of shards without an epoch it is not ours to say. */
  sweptIn(order: {
    readonly rows: readonly number[]
    readonly epochs: readonly (number | null)[]
  }): Promise<readonly ShardRev[]>
  /**
   * Takes these rows over older ones of the record that are here or come later, wherever the file stands in the history of the shard.
   * Resolves when no text that they replaced is in a file.
   */
  overwrite(erased: RowsAtOwner): Promise<void>
}
