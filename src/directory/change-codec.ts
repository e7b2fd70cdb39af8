import type { DirectoryRow } from '../ports/directory.ts'
import type { TailPosition } from '../ports/journal.ts'
import type { Rev, RowKey } from '../ports/list-replicas.ts'
import { HOUR_MS } from './place.ts'
import type { Term, Tombstone } from './replica-states.ts'

/** What the file has of a row, in the order of its columns. */
export type PlainCells = readonly [
  rev: Rev,
  kind: string,
  id: string,
  tenant: string,
  createdAtMs: number,
  updatedAtMs: number,
  state: string,
  filters: string,
  externalId: string | null,
  search: string,
  finishedAtMs: number | null,
]

/** A row as short as JSON can be without names. What stands behind the rest came later: another release leaves it out. */
export type RowCells = readonly [
  ...PlainCells,
  endsAllBut: readonly string[] | null,
  steps?: readonly (readonly [hour: number, name: string])[] | null,
]

export type Changes = {
  readonly shard: number
  readonly after: Rev
  readonly upTo: Rev
  /** The last change that the sender has. */
  readonly newest: Rev
  /** Of the log, when everything is here. */
  readonly position: TailPosition | null
  /** Rows that went up to here, the sender knows no more. */
  readonly floor: Rev
  readonly rows: readonly RowCells[]
  readonly gone: readonly Tombstone[]
  /** Only where the history may be new to the one who asked. */
  readonly terms: readonly Term[]
}
export type Parted = { readonly shard: number; readonly newest: Rev } & (
  | { readonly parted: 'anew' }
  | { readonly parted: 'back'; readonly to: Rev }
)
export type ShardAnswer = Changes | Parted

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Both ends are the same release or its neighbour, and have proved that they belong to the cluster. */
export const encoded = (answers: readonly ShardAnswer[] | readonly RowCells[]): Uint8Array =>
  encoder.encode(JSON.stringify(answers))
export const decodedAnswers = (bytes: Uint8Array): readonly ShardAnswer[] =>
  JSON.parse(decoder.decode(bytes)) as readonly ShardAnswer[]
export const decodedRows = (bytes: Uint8Array): readonly RowCells[] =>
  JSON.parse(decoder.decode(bytes)) as readonly RowCells[]

export const rowOfCells = (cells: RowCells): DirectoryRow => {
  const [, kind, id, tenant, createdAtMs, updatedAtMs, state, filters, externalId, searchText, finishedAtMs] =
    cells
  const endsAllBut = cells[11]
  const steps = cells[12] ?? null
  return {
    kind,
    id,
    tenant,
    createdAtMs,
    updatedAtMs,
    state,
    filters: JSON.parse(filters) as DirectoryRow['filters'],
    externalId,
    searchText,
    finishedAtMs,
    ...(endsAllBut !== null && { endsAllBut }),
    ...(steps !== null && { steps: steps.map(([hour, name]) => [name, hour * HOUR_MS] as const) }),
  }
}

export const keyOf = ({ tenant, kind, id }: RowKey): string => `${kind} ${id} ${tenant}`
