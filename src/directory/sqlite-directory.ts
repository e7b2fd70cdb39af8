import { setImmediate } from 'node:timers/promises'
import type { Database, Statement } from 'better-sqlite3'
import type { Directory, DirectoryRow, FinishedRecord, ListedRecord, ListQuery } from '../ports/directory.ts'
import type { TailPosition } from '../ports/journal.ts'
import type {
  DueQuery,
  DueRecords,
  ListOverview,
  ListOverviews,
  OverviewQuery,
} from '../ports/list-overview.ts'
import type { Rev } from '../ports/list-replicas.ts'
import { Ended } from './ended.ts'
import { FinishedReader, type FinishedQuery } from './finished-reader.ts'
import { HotColumns } from './hot-columns.ts'
import { RowCounts } from './row-counts.ts'
import { ListReader } from './list-reader.ts'
import { OverviewReader } from './overview-reader.ts'
import { type Change, RecordWriter, type Written } from './record-writer.ts'
import { Replicas } from './replicas.ts'
import { textOf } from './slotted-texts.ts'
import { emptyLog, openTables } from './tables.ts'
import { TenantRows, type ListedQuery, type RecordsQuery, type RemovedRow } from './tenant-rows.ts'

type Row = {
  readonly id: string
  readonly created_ms: number
  readonly updated_ms: number
  readonly state: string
  readonly external_id: string | null
  readonly search: string
  readonly filters: string
}
type Page = { readonly rows: readonly DirectoryRow[]; readonly total: number }

/** Rows of one shard, and the position in its log up to which they stand. */
export type DirectoryWrite = {
  readonly shard: number
  readonly rows: readonly DirectoryRow[]
  readonly position: TailPosition
  /** In a cluster: of the owner who writes it. A file that has heard of a later one refuses it. */
  readonly epoch?: number
}
/** The last change of the shard; null where it was refused, or there are no others whom it could concern. */
export type WrittenRev = { readonly shard: number; readonly rev: Rev | null }

/** So long texts that were replaced share one cleaning of the log, which syncs the file; an erasure asks by itself. */
const CLEAR_AFTER_MS = 2_000

/**
 * The lists of one process in a file. Searching a long list takes tens of milliseconds, so it belongs into a thread.
 */
export class SqliteDirectory implements Directory, ListOverviews, Disposable {
  readonly #database: Database
  readonly #writer: RecordWriter
  readonly #counts: RowCounts
  readonly #reader: ListReader
  readonly #overviews: OverviewReader
  readonly #hot: HotColumns
  readonly #finished: FinishedReader
  readonly #tenantRows: TenantRows
  readonly #replicas: Replicas
  readonly #ended: Ended
  /** What the transaction that runs has changed. */
  #written: Written[] = []
  #takenOut: RemovedRow[] = []
  #removed = new Set<number>()
  #clearing: NodeJS.Timeout | null = null
  readonly #row: Statement<[number], Row>
  readonly #place: Statement<[number, number, number]>
  readonly #position: Statement<[number], TailPosition>

  constructor(file: string, isReplica = false) {
    const database = openTables(file, isReplica)
    this.#database = database
    this.#counts = new RowCounts(database)
    this.#writer = new RecordWriter(database, this.#counts)
    this.#reader = new ListReader(database)
    this.#overviews = new OverviewReader(database, this.#counts)
    this.#hot = new HotColumns(database)
    this.#finished = new FinishedReader(database)
    this.#tenantRows = new TenantRows(database, this.#counts)
    this.#ended = new Ended(database)
    this.#replicas = new Replicas(database, {
      put: (row, change) => this.#put(row, change),
      remove: (rows) => this.#remove(rows),
      endedBut: (id) => this.#ended.keptOf(id),
      stepsIn: (...row) => this.#counts.stepsIn(...row),
    })
    this.#row = database.prepare(
      `SELECT id, created_ms, updated_ms, state, external_id, ${textOf('records')} AS search, filters
       FROM records WHERE seq = ?`,
    )
    this.#place = database.prepare('INSERT OR REPLACE INTO positions (shard, no, entry) VALUES (?, ?, ?)')
    this.#position = database.prepare('SELECT no, entry AS "index" FROM positions WHERE shard = ?')
  }

  async list(query: ListQuery): Promise<Page> {
    const scope = this.#writer.scopeOf(query.tenant, query.kind)
    if (scope === null) return { rows: [], total: 0 }
    const columns = isSearch(query) ? await this.#hot.of(scope) : null
    const { seqs, total } = columns === null ? this.#reader.find(scope, query) : columns.find(query)
    // Nothing was written since the rows were found, because this thread does one thing at a time.
    const rows = seqs.flatMap((seq) => this.#row.get(seq) ?? [])
    return { rows: rows.map((row) => asRow(query.kind, query.tenant, row)), total }
  }

  overview(query: OverviewQuery): Promise<readonly ListOverview[]> {
    return this.#overviews.read(query)
  }

  due(query: DueQuery): Promise<readonly DueRecords[]> {
    return this.#finished.due(query)
  }

  /** Hours before this one are counted no longer, and go. */
  async forgetHours(before: number): Promise<void> {
    if (!this.#transaction(() => this.#counts.setHorizon(before))) return
    for (let after: number | null = 0; after !== null; await setImmediate()) {
      const from: number = after
      after = this.#transaction(() => this.#counts.dropOld(from))
    }
  }

  positionOf(shard: number): TailPosition | null {
    return this.#position.get(shard) ?? null
  }

  /** Writes the rows and the position up to which they stand. */
  write(shard: number, rows: readonly DirectoryRow[], position: TailPosition): void {
    this.writeAll([{ shard, rows, position }])
  }

  /** Writes all of it or nothing. Where a text that was replaced still stands in a file, `clear` says so. */
  writeAll(writes: readonly DirectoryWrite[]): readonly WrittenRev[] {
    return this.#transaction(() => writes.map((write) => this.#write(write)))
  }

  /** What files of other nodes have to do with this one, each in one transaction. */
  replicated<Result>(work: (replicas: Replicas) => Result): Result {
    return this.#transaction(() => work(this.#replicas))
  }

  /** A text that was replaced is in no file when this returns. Throws while somebody reads the file. */
  clear(): void {
    if (!this.#writer.replacedText) return
    emptyLog(this.#database)
    this.#writer.replacedText = false
  }

  #clearInTime(): void {
    this.#clearing = null
    try {
      this.clear()
    } catch {
      // Somebody reads the file: once more.
      this.#clearing = setTimeout(() => this.#clearInTime(), CLEAR_AFTER_MS).unref()
    }
  }

  #transaction<Result>(work: () => Result): Result {
    this.#written = []
    this.#takenOut = []
    this.#removed = new Set()
    let result: Result
    try {
      result = this.#database.transaction(() => {
        const worked = work()
        this.#counts.flush()
        return worked
      })()
    } catch (error) {
      this.#writer.forget()
      this.#counts.read()
      this.#ended.read()
      throw error
    }
    for (const row of this.#written) this.#hot.put(row.scope, row)
    for (const row of this.#takenOut) this.#hot.remove(row.scope, row)
    for (const scope of this.#removed) this.#hot.forget(scope)
    if (this.#writer.replacedText)
      this.#clearing ??= setTimeout(() => this.#clearInTime(), CLEAR_AFTER_MS).unref()
    return result
  }

  #write({ shard, rows, position, epoch }: DirectoryWrite): WrittenRev {
    const count = epoch === undefined ? null : this.#replicas.states.counting(shard, epoch)
    if (epoch !== undefined && count === null) return { shard, rev: null }
    this.#place.run(shard, position.no, position.index)
    for (const row of rows)
      if (row.isGone === true) this.#takeOut(row, shard, count)
      else this.#put(row, count === null ? null : { shard, rev: count.next(), isFromPeer: false })
    const rev = count?.save() ?? null
    if (rev !== null && rows.some(({ isGone }) => isGone === true))
      this.#replicas.states.dropOldTombstones(shard)
    return { shard, rev }
  }

  #put(given: DirectoryRow, change: Change | null): void {
    if (change !== null && this.#ended.has(given)) return
    const row = change === null ? given : this.#replicas.erased.nowOf(given, change.rev)
    if (row === null) return
    const written = this.#writer.put(row, change)
    this.#written.push(written)
    if (row.endsAllBut === undefined) return
    if (change !== null) this.#ended.add(row.id, row.endsAllBut)
    const ended = this.#tenantRows.removeAllBut(row.id, row.endsAllBut)
    if (ended.length === 0) return
    for (const scope of ended) this.#removed.add(scope)
    this.#writer.forget()
    this.#writer.replacedText = true
  }

  /** Of what is not here no other file has to hear. */
  #takeOut(row: DirectoryRow, shard: number, count: { readonly next: () => Rev } | null): void {
    const removed = this.#tenantRows.removeOne(row)
    if (removed === null) return
    this.#takenOut.push(removed)
    this.#writer.replacedText = true
    if (count === null) return
    const { kind, id } = row
    const { tenant } = removed
    this.#replicas.states.bury(shard, { tenant, kind, id, rev: count.next() })
  }

  #remove(rows: readonly number[]): void {
    if (rows.length === 0) return
    for (const scope of this.#tenantRows.remove(rows)) this.#removed.add(scope)
    this.#writer.replacedText = true
  }

  listsOf(tenant: string): readonly string[] {
    return this.#tenantRows.lists(tenant)
  }

  recordsOf(query: RecordsQuery): readonly ListedRecord[] {
    return this.#tenantRows.page(query)
  }

  listed(query: ListedQuery): readonly string[] {
    return this.#tenantRows.listed(query)
  }

  unlist(rows: readonly number[]): void {
    this.#transaction(() => this.#remove(rows))
    this.clear()
  }

  tenantsWithFinished(shard: number): readonly string[] {
    return this.#finished.tenants(shard)
  }

  finishedBefore(query: FinishedQuery): readonly FinishedRecord[] {
    return this.#finished.before(query)
  }

  swept(rows: readonly number[]): void {
    this.#finished.swept(rows)
  }

  [Symbol.dispose](): void {
    if (this.#clearing !== null) clearTimeout(this.#clearing)
    this.#database.close()
  }
}

/** A search goes through memory, except with exact filters, which have an index and leave few records to compare. */
const isSearch = ({ q, externalId, filters }: ListQuery): boolean =>
  (q !== null || externalId !== null) && Object.keys(filters).length === 0

const asRow = (kind: DirectoryRow['kind'], tenant: string, row: Row): DirectoryRow => ({
  kind,
  id: row.id,
  tenant,
  createdAtMs: row.created_ms,
  updatedAtMs: row.updated_ms,
  state: row.state,
  externalId: row.external_id,
  searchText: row.search,
  filters: JSON.parse(row.filters) as DirectoryRow['filters'],
})
