import type { Database } from 'better-sqlite3'
import { LayoutWriter } from './row-layout.ts'
import { BATCH, RowEntries } from './slot-rows.ts'

type Row = {
  readonly id: number
  readonly shard: number | null
  readonly no: number | null
  readonly rest: number
  readonly layout: Buffer
}

type InLog = { readonly lastRow: number; readonly events: number }

/** A pass begins when a part of what it has to look at can go, so that its cost is in proportion to what it frees. */
const FORGOTTEN_MIN = 512
const FORGOTTEN_SHARE = 0.2
/** Free pages that are kept for what comes next; more are given back to the file system, so many in one step. */
const FREE_PAGES_MIN = 256
const FREE_SHARE = 0.25
const PAGES_PER_STEP = 16
const ACTORS_REMEMBERED_MAX = 10_000

const prepare = (database: Database) => ({
  rows: database.prepare<[number, number], Row>(
    'SELECT id, shard, no, rest, layout FROM slots WHERE id > ? ORDER BY id LIMIT ?',
  ),
  body: database.prepare<[number], string>('SELECT body FROM slots WHERE id = ?').pluck(),
  update: database.prepare('UPDATE slots SET layout = ?, body = ? WHERE id = ?'),
  remove: database.prepare('DELETE FROM slots WHERE id = ?'),
  foldedSeq: database.prepare<[number], number>('SELECT folded_seq FROM actors WHERE id = ?').pluck(),
  readForgotten: database.prepare<[], number>('SELECT events_forgotten FROM flushed').pluck(),
  writeForgotten: database.prepare('UPDATE flushed SET events_forgotten = ?'),
  readSwept: database.prepare<[], number>('SELECT rows_swept FROM flushed').pluck(),
  writeSwept: database.prepare('UPDATE flushed SET rows_swept = ?'),
})

/**
 * Takes the events that were forgotten out of their rows, a few rows at a time: a row has entries of several actors, and
 * the rows of one actor lie far from each other, so each page is visited once for all that can go from it. Rows that the
 * log still has are left alone.
 */
export class Sweep {
  readonly #database: Database
  readonly #sql: ReturnType<typeof prepare>
  readonly #firstKeptNo: (shard: number) => number
  readonly #rowOfSlot: (shard: number, no: number) => number | null
  readonly #layout = new LayoutWriter()
  /** Events that may go, as far as is known. */
  #forgotten: number
  /** Whether some of them are not written down. */
  #isUnsaved = false
  /** By shard: events that may go when its log has given up the row that they end in. */
  readonly #inLog = new Map<number, InLog[]>()
  #inLogEvents = 0
  /** By shard: the first row that its log still has. */
  readonly #firstKeptRows = new Map<number, number>()
  /** The last row that this pass has looked at; null between two passes. */
  #cursor: number | null = null
  /** The first pass counts what can go from the rows of the log as well, because that is not written down by shard. */
  #isFirst = true
  #rowsKept = 0
  /** By actor, what this pass has asked for: its events stand in several rows. What is folded meanwhile is for the next pass. */
  readonly #foldedSeqs = new Map<number, number>()
  /** The first row of the slot whose rows are being looked at. */
  #slot: Row | null = null

  constructor(
    database: Database,
    firstKeptNo: (shard: number) => number,
    rowOfSlot: (shard: number, no: number) => number | null,
  ) {
    this.#database = database
    this.#sql = prepare(database)
    this.#firstKeptNo = firstKeptNo
    this.#rowOfSlot = rowOfSlot
    this.#forgotten = this.#sql.readForgotten.get() ?? 0
  }

  /** Of events that the log still has a pass could take none, so they begin none. */
  forgotten(shard: number, events: number, lastRow: number): void {
    this.#count(shard, { lastRow, events })
    this.#isUnsaved = true
  }

  /** In the transaction of what was forgotten, so that no restart loses the count, however little comes between two. */
  beforeCommit(): void {
    // While a pass is under way, what it was begun for stays written down, because a crash may end it.
    if (this.#cursor === null && this.#isUnsaved) this.#save()
  }

  /** Some of a shard's slots have left the log. */
  retired(shard: number): void {
    this.#firstKeptRows.delete(shard)
    const waiting = this.#inLog.get(shard) ?? []
    this.#inLog.delete(shard)
    for (const { events } of waiting) this.#inLogEvents -= events
    for (const each of waiting) this.#count(shard, each)
  }

  /** Looks at so many rows if a pass is under way or due, or gives some pages back; true when there is more to do. */
  step(rowsMax: number, atOnce: boolean): boolean {
    if (this.#cursor === null) {
      if (!atOnce && this.#forgotten < this.#dueAt()) return this.#giveBack(atOnce)
      this.#forgotten = 0
      this.#begin()
    }
    const rows = this.#sql.rows.all(this.#cursor ?? 0, rowsMax)
    for (const row of rows) this.#visit(row)
    const last = rows.at(-1)
    if (last !== undefined && rows.length === rowsMax) {
      this.#cursor = last.id
      return true
    }
    this.#cursor = null
    this.#isFirst = false
    this.#foldedSeqs.clear()
    this.#sql.writeSwept.run(this.#rowsKept)
    this.#save()
    return this.#giveBack(atOnce)
  }

  /** After a rollback the pass begins again; the end of one may have been undone as well, so the count is read again. */
  restart(): void {
    this.#firstKeptRows.clear()
    this.#isFirst = true
    this.#isUnsaved = false
    this.#forgetLog()
    this.#forgotten = this.#cursor === null ? (this.#sql.readForgotten.get() ?? 0) : 0
    if (this.#cursor !== null) this.#begin()
  }

  #begin(): void {
    this.#cursor = 0
    this.#rowsKept = 0
    if (this.#isFirst) this.#forgetLog()
    this.#foldedSeqs.clear()
    this.#slot = null
  }

  #dueAt(): number {
    return Math.max(FORGOTTEN_MIN, (this.#sql.readSwept.get() ?? 0) * FORGOTTEN_SHARE)
  }

  #forgetLog(): void {
    this.#inLog.clear()
    this.#inLogEvents = 0
  }

  #count(shard: number, waiting: InLog): void {
    if (!this.#isInLog(shard, waiting.lastRow)) {
      this.#forgotten += waiting.events
      return
    }
    this.#inLogEvents += waiting.events
    const others = this.#inLog.get(shard)
    if (others === undefined) this.#inLog.set(shard, [waiting])
    else others.push(waiting)
  }

  /** Where the log has no slot at all nothing is remembered, because the next one changes that. */
  #isInLog(shard: number, row: number): boolean {
    const first = this.#firstKeptRows.get(shard) ?? this.#rowOfSlot(shard, this.#firstKeptNo(shard))
    if (first === null) return false
    this.#firstKeptRows.set(shard, first)
    return row >= first
  }

  #visit(row: Row): void {
    if (row.no !== null) this.#slot = row
    const logShard = this.#logOf(row)
    if (logShard === null) this.#free(row)
    else this.#leave(row, logShard)
  }

  #leave(row: Row, logShard: number): void {
    this.#rowsKept++
    const events = this.#isFirst ? this.#entriesOf(row).dead : 0
    if (events > 0) this.#count(logShard, { lastRow: row.id, events })
  }

  #free(row: Row): void {
    const { dead, alive } = this.#entriesOf(row)
    if (alive === 0) return void this.#sql.remove.run(row.id)
    if (dead > 0) this.#rewrite(row)
    this.#rowsKept++
  }

  #entriesOf({ layout }: Row): { readonly dead: number; readonly alive: number } {
    const entries = new RowEntries(layout, '')
    let [dead, alive] = [0, 0]
    while (entries.next()) {
      if (this.#isForgotten(entries)) dead += entries.eventCount
      else alive++
    }
    return { dead, alive }
  }

  /** The shard whose log still has the row. The further rows of a slot have no number: without its first row they have left. */
  #logOf({ id }: Row): number | null {
    const slot = this.#slot
    if (slot === null || slot.no === null || slot.shard === null || id > slot.id + slot.rest) return null
    return slot.no >= this.#firstKeptNo(slot.shard) ? slot.shard : null
  }

  #save(): void {
    this.#sql.writeForgotten.run(this.#forgotten + this.#inLogEvents)
    this.#isUnsaved = false
  }

  #isForgotten({ actor, seq, eventCount }: RowEntries): boolean {
    return seq + eventCount - 1 <= this.#foldedSeqOf(actor)
  }

  /** Infinite for an actor that is gone. */
  #foldedSeqOf(actor: number): number {
    const known = this.#foldedSeqs.get(actor)
    if (known !== undefined) return known
    if (this.#foldedSeqs.size >= ACTORS_REMEMBERED_MAX) this.#foldedSeqs.clear()
    const foldedSeq = this.#sql.foldedSeq.get(actor) ?? Number.POSITIVE_INFINITY
    this.#foldedSeqs.set(actor, foldedSeq)
    return foldedSeq
  }

  #rewrite({ id, layout: bytes }: Row): void {
    const layout = this.#layout
    layout.begin()
    layout.add(BATCH)
    layout.add(0)
    let body = ''
    const entries = new RowEntries(bytes, this.#sql.body.get(id) ?? '')
    while (entries.next()) if (!this.#isForgotten(entries)) body += entries.copyTo(layout)
    this.#sql.update.run(layout.take(), body, id)
  }

  #giveBack(all: boolean): boolean {
    const count = (pragma: string): number => Number(this.#database.pragma(pragma, { simple: true }))
    const kept = all ? 0 : Math.max(FREE_PAGES_MIN, count('page_count') * FREE_SHARE)
    if (count('freelist_count') <= kept) return false
    this.#database.pragma(`incremental_vacuum(${PAGES_PER_STEP})`)
    return true
  }
}
