import type { Directory, ListQuery } from '../../ports/directory.ts'
import type { DueQuery, DueRecords, ListOverview, OverviewQuery } from '../../ports/list-overview.ts'
import type { RowKey, RowsAtOwner, ShardRev, WantedChanges } from '../../ports/list-replicas.ts'

/** What nodes ask each other about lists. Both are of the same release or its neighbour. */
export type Messages = {
  /**
   * Changes since these places, of the shards that the asked node owns; -1 for shards that the asking node has, and
   * apart those that it fills anew. Held until there are some.
   */
  readonly 'lists.pull': {
    readonly revs: readonly number[]
    readonly filling: readonly number[]
  }
  /** Up to where the file has these shards; answers with `Places`. */
  readonly 'lists.places': { readonly shards: readonly number[] }
  /** The same as `lists.pull` of these shards, whoever owns them, at once. */
  readonly 'lists.fill': { readonly wanted: readonly WantedChanges[] }
  /** Rows in question, as the asked node has them. */
  readonly 'lists.rows': { readonly shard: number; readonly keys: readonly RowKey[] }
  /** Up to where a list of each organisation must be read; null: everything. Answers with `Needs`. */
  readonly 'lists.needs': { readonly tenants: readonly (string | null)[] }
  /** Up to where the shard is read once everything committed is in its owner's file. Answers with the place. */
  readonly 'lists.settled': { readonly shard: number }
  /** The same place, and the record's rows there: `ErasedRows`. */
  readonly 'lists.record': { readonly recordId: string }
  /** Answers when the file has none of the record but these rows, and no text that they replaced. */
  readonly 'lists.cleared': ErasedRows
  /** Answers with the shards of those that the asked node owns, whose rows are taken out. */
  readonly 'lists.unlist': { readonly keys: readonly ShardKeys[] }
} & Asked

/** What a node asks another for whose own file is not complete. */
type Asked = {
  readonly 'lists.page': ListQuery
  readonly 'lists.overview': OverviewQuery
  readonly 'lists.due': DueQuery
}

/** What each of these is answered with. */
export type Shown = {
  readonly 'lists.page': Awaited<ReturnType<Directory['list']>>
  readonly 'lists.overview': readonly ListOverview[]
  readonly 'lists.due': readonly DueRecords[]
}

export type Service = keyof Messages
export type ShardKeys = { readonly shard: number; readonly keys: readonly RowKey[] }

/** The rows are for the threads of the lists alone. */
export type ErasedRows = Omit<RowsAtOwner, 'bytes'> & { readonly rows: string }

export type Needs = {
  /** The shards that the answering node owns and has read to the end of their logs. */
  readonly owned: readonly number[]
  /** What the asking node has not told that it has, by the organisations that it asked for. */
  readonly needed: readonly (readonly ShardRev[])[]
}

/** `owned` are shards whose logs the answering node has read to the end since it owns them. */
export type PullHead = { readonly owned: readonly number[]; readonly isCut: boolean }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const packed = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value))
export const unpacked = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes))

export const erasedRows = ({ bytes, ...more }: RowsAtOwner): ErasedRows => ({
  ...more,
  rows: decoder.decode(bytes),
})
export const rowsAtOwner = ({ rows, ...more }: ErasedRows): RowsAtOwner => ({
  ...more,
  bytes: encoder.encode(rows),
})

const LENGTH_BYTES = 4

/** The head is read here; what follows is for the thread of the lists alone. */
export const withHead = (head: PullHead, changes: Uint8Array): Uint8Array => {
  const text = packed(head)
  const bytes = new Uint8Array(LENGTH_BYTES + text.length + changes.length)
  new DataView(bytes.buffer).setUint32(0, text.length)
  bytes.set(text, LENGTH_BYTES)
  bytes.set(changes, LENGTH_BYTES + text.length)
  return bytes
}

export const headOf = (bytes: Uint8Array): { readonly head: PullHead; readonly changes: Uint8Array } => {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0)
  const end = LENGTH_BYTES + length
  return { head: unpacked(bytes.subarray(LENGTH_BYTES, end)) as PullHead, changes: bytes.slice(end) }
}
