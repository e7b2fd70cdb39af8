import type { Database } from 'better-sqlite3'
import { Columns, type ColumnRow } from './columns.ts'
import { textOf } from './slotted-texts.ts'

const LIMITS = {
  /** About 60 bytes a record, so four million records of all searched lists together. */
  memoryBytesMax: 268_435_456,
  recordsMax: 4_000_000,
  /** The records that are read at a time; other calls have their turn in between. */
  chunkRecords: 20_000,
  movedMax: 65_536,
}

type Row = [seq: number, place: number, state: string, search: string, externalId: string | null]
type Place = { readonly place: number; readonly seq: number }

/** A list in memory, or on its way there: every record before `read` is in it and follows its writes. */
type Hot = { readonly columns: Columns; read: Place | 'all'; loading: Promise<void> }

/** The lists that were searched lately, in memory; the least recently searched one is dropped first. */
export class HotColumns {
  readonly #database: Database
  readonly #limits: typeof LIMITS
  readonly #lists = new Map<number, Hot>()

  constructor(database: Database, limits: Partial<typeof LIMITS> = {}) {
    this.#database = database
    this.#limits = { ...LIMITS, ...limits }
  }

  get memoryBytes(): number {
    return [...this.#lists.values()].reduce((sum, { columns }) => sum + columns.memoryBytes, 0)
  }

  /** Null for a list that is too long to be kept. */
  async of(scope: number): Promise<Columns | null> {
    for (;;) {
      const hot = this.#lists.get(scope) ?? this.#load(scope)
      if (hot === null) return null
      this.#lists.delete(scope)
      this.#lists.set(scope, hot)
      await hot.loading
      // A write may have made the list unusable meanwhile.
      if (this.#lists.get(scope) === hot) {
        this.#evict(scope)
        return hot.columns
      }
    }
  }

  put(scope: number, row: ColumnRow): void {
    const hot = this.#lists.get(scope)
    if (hot === undefined || (hot.read !== 'all' && isAfter(row, hot.read))) return
    if (!hot.columns.put(row)) this.#lists.delete(scope)
  }

  /** A row that is gone. While the list is read into memory, it begins anew. */
  remove(scope: number, row: Pick<ColumnRow, 'place' | 'seq'>): void {
    const hot = this.#lists.get(scope)
    if (hot !== undefined && (hot.read !== 'all' || !hot.columns.remove(row))) this.#lists.delete(scope)
  }

  /** Many of its rows are gone, or all. */
  forget(scope: number): void {
    this.#lists.delete(scope)
  }

  #load(scope: number): Hot | null {
    const { records } = this.#database
      .prepare<[number], { records: number }>(
        'SELECT coalesce(sum(records), 0) AS records FROM counts WHERE scope = ?',
      )
      .get(scope) ?? { records: 0 }
    if (records > this.#limits.recordsMax) return null
    const columns = new Columns(this.#limits.movedMax)
    const hot: Hot = { columns, read: { place: -1, seq: 0 }, loading: Promise.resolve() }
    hot.loading = this.#readAll(scope, hot).catch((error: unknown) => {
      if (this.#lists.get(scope) === hot) this.#lists.delete(scope)
      throw error
    })
    return hot
  }

  async #readAll(scope: number, hot: Hot): Promise<void> {
    const { chunkRecords } = this.#limits
    const next = this.#database
      .prepare<[number, number, number], Row>(
        `SELECT seq, place, state, ${textOf('records')}, external_id FROM records INDEXED BY newest
         WHERE scope = ? AND (place, seq) > (?, ?) ORDER BY place, seq LIMIT ${chunkRecords}`,
      )
      .raw()
    while (hot.read !== 'all') {
      const rows = next.all(scope, hot.read.place, hot.read.seq)
      for (const [seq, place, state, search, externalId] of rows)
        hot.columns.put({ seq, place, state, search, externalId })
      const last = rows.at(-1)
      hot.read = last === undefined || rows.length < chunkRecords ? 'all' : { seq: last[0], place: last[1] }
      if (hot.read !== 'all') await new Promise(setImmediate)
    }
  }

  #evict(kept: number): void {
    for (const [scope, hot] of this.#lists) {
      if (this.memoryBytes <= this.#limits.memoryBytesMax) return
      if (scope !== kept && hot.read === 'all') this.#lists.delete(scope)
    }
  }
}

const isAfter = (row: Place, other: Place): boolean =>
  row.place > other.place || (row.place === other.place && row.seq > other.seq)
