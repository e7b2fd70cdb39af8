import type { DirectoryRow } from '../ports/directory.ts'
import type { Rev } from '../ports/list-replicas.ts'
import { keyOf, type RowCells, rowOfCells } from './change-codec.ts'

/** An erasure is answered after seconds at most, and answers that were read before it arrive soon after: some 2 MB. */
const ERASED_MAX = 4_096

type Erased = { readonly rev: Rev; readonly rows: readonly RowCells[] }

/**
 * Rows of records that were erased lately, as their owners have them. What another node has read before, or reads in a
 * file that has not heard of it yet, is older than that: it is not written here again.
 */
export class ErasedRows {
  readonly #byRecord = new Map<string, Erased>()
  readonly #max: number

  constructor(max: number = ERASED_MAX) {
    this.#max = max
  }

  /** All rows of the record that the owner had at `rev`. */
  note(recordId: string, rev: Rev, rows: readonly RowCells[]): void {
    this.#byRecord.delete(recordId)
    this.#byRecord.set(recordId, { rev, rows })
    for (const oldest of this.#byRecord.keys()) {
      if (this.#byRecord.size <= this.#max) return
      this.#byRecord.delete(oldest)
    }
  }

  /** What is to be written where the row comes with that change; null where nothing is. */
  nowOf(row: DirectoryRow, rev: Rev): DirectoryRow | null {
    const erased = this.#byRecord.get(row.id)
    if (erased === undefined) return row
    const cells = erased.rows.find((each) => keyOf(rowOfCells(each)) === keyOf(row))
    if (rev >= (cells?.[0] ?? erased.rev)) return row
    return cells === undefined ? null : rowOfCells(cells)
  }
}
