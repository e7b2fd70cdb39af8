import type { DirectoryRow } from '../ports/directory.ts'
import type { Rev } from '../ports/list-replicas.ts'
import { keyOf, type RowCells, rowOfCells } from './change-codec.ts'

/** An erasure is answered after seconds at most, and answers that were read before it arrive soon after: some 2 MB. */
const ERASED_MAX = 4_096

type Erased = { readonly rev: Rev; readonly cells: RowCells | null }

/**
 * Rows of records that were erased lately, as their owners have them. What another node has read before, or reads in a
 * file that has not heard of it yet, is older than that: it is not written here again.
 */
export class ErasedRows {
  readonly #byKey = new Map<string, Erased>()
  readonly #max: number

  constructor(max: number = ERASED_MAX) {
    this.#max = max
  }

  /** Null cells: the owner has no such row. */
  note(key: string, rev: Rev, cells: RowCells | null): void {
    this.#byKey.delete(key)
    this.#byKey.set(key, { rev, cells })
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= this.#max) return
      this.#byKey.delete(oldest)
    }
  }

  /** What is to be written where the row comes with that change; null where nothing is. */
  nowOf(row: DirectoryRow, rev: Rev): DirectoryRow | null {
    const erased = this.#byKey.size === 0 ? undefined : this.#byKey.get(keyOf(row))
    if (erased === undefined || erased.rev <= rev) return row
    return erased.cells === null ? null : rowOfCells(erased.cells)
  }
}
