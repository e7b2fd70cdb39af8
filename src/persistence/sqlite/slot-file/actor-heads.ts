import type { Database } from 'better-sqlite3'
import { RowEntries } from './slot-rows.ts'

/**
 * Two generations of this many names bound the memory: the older one is dropped whole when the younger is full. A
 * lookup costs one read of a map, which for every entry of the log is less than a list in order of use.
 */
const GENERATION_SIZE = 50_000
/** These bound the cost of a flush, and of the scan at the next start. */
const UNFLUSHED_ACTORS_MAX = 4_096
const UNFLUSHED_ENTRIES_MAX = 32_768

/** `previousRow` is the row before `lastRow`; 0 where there is none. */
type Head = { readonly id: number; previousRow: number; lastRow: number; lastSeq: number }
/** What was folded or taken out: its id, the row of its newest events, and how many go that did not go before. */
type Folded = { readonly id: number; readonly lastRow: number; readonly events: number }
type ActorRow = { id: number; last_row: number; last_seq: number }

const prepare = (database: Database) => ({
  select: database.prepare<[number, string], ActorRow>(
    'SELECT id, last_row, last_seq FROM actors WHERE shard = ? AND name = ?',
  ),
  insert: database.prepare('INSERT INTO actors (id, shard, name, last_row, last_seq) VALUES (?, ?, ?, ?, ?)'),
  update: database.prepare('UPDATE actors SET last_row = ?, last_seq = ? WHERE id = ?'),
  foldedSeq: database.prepare<[number], number>('SELECT folded_seq FROM actors WHERE id = ?').pluck(),
  fold: database.prepare('UPDATE actors SET last_row = ?, last_seq = ?, folded_seq = ? WHERE id = ?'),
  remove: database.prepare('DELETE FROM actors WHERE id = ?'),
  lastId: database.prepare<[], { id: number }>(
    'SELECT max(actors_until, (SELECT ifnull(max(id), 0) FROM actors)) AS id FROM flushed',
  ),
  writeActorsUntil: database.prepare('UPDATE flushed SET actors_until = max(actors_until, ?)'),
  readUntil: database.prepare<[], { heads_until: number }>('SELECT heads_until FROM flushed'),
  writeUntil: database.prepare('UPDATE flushed SET heads_until = ?'),
  unflushed: database.prepare<[number], { id: number; layout: Buffer }>(
    'SELECT id, layout FROM slots WHERE id > ? ORDER BY id',
  ),
})

/**
 * The row in which each actor's events end (the head of its chain in README.md). An index over (actor, seq) would cost
 * more than the events themselves, because every event would touch another page of it.
 */
export class ActorHeads {
  readonly #sql: ReturnType<typeof prepare>
  readonly #changed = new Map<number, Head>()
  #young = new Map<string, Head>()
  #old = new Map<string, Head>()
  #unflushedEntries = 0
  #lastRow = 0
  #lastId = 0

  constructor(database: Database) {
    this.#sql = prepare(database)
    this.reload()
  }

  /** Adds `count` events in `row`; `previousRow` of the returned head is the actor's row before. */
  extend(shard: number, name: string, seq: number, count: number, row: number): Readonly<Head> {
    const head = this.#find(shard, name)
    this.#unflushedEntries++
    this.#lastRow = row
    if (head === null) {
      if (seq !== 1) throw new Error(`${name} begins with event ${seq}`)
      return this.#create(shard, name, row, count)
    }
    if (seq !== head.lastSeq + 1)
      throw new Error(`${name} has ${head.lastSeq} events, the next cannot be ${seq}`)
    head.previousRow = head.lastRow
    head.lastRow = row
    head.lastSeq = seq + count - 1
    this.#changed.set(head.id, head)
    return head
  }

  findOrCreate(shard: number, name: string): number {
    return (this.#find(shard, name) ?? this.#create(shard, name, 0, 0)).id
  }

  /**
   * The events up to `seq` are in a snapshot. The end of the chain is written at once, because the rows that it could be
   * found by after a crash may be deleted from now on. Null for an actor that there is not.
   */
  fold(shard: number, name: string, seq: number): Folded | null {
    const head = this.#find(shard, name)
    if (head === null) return null
    const { id, lastRow, lastSeq } = head
    if (seq > lastSeq) throw new Error(`${name} has ${lastSeq} events, ${seq} cannot be in its snapshot`)
    const before = this.#foldedSeqOf(id)
    this.#sql.fold.run(lastRow, lastSeq, Math.max(seq, before), id)
    this.#changed.delete(id)
    return { id, lastRow, events: Math.max(0, seq - before) }
  }

  /** Takes the actor out of the file; its id is not given again, because rows with it may be left. */
  remove(shard: number, name: string): Folded | null {
    const head = this.#find(shard, name)
    if (head === null) return null
    const { id, lastRow, lastSeq } = head
    const events = lastSeq - this.#foldedSeqOf(id)
    this.#sql.remove.run(id)
    this.#sql.writeActorsUntil.run(id)
    this.#young.delete(name)
    this.#old.delete(name)
    this.#changed.delete(id)
    return { id, lastRow, events }
  }

  /** Runs inside the transaction, after its rows are written. */
  flushWhenDue(): void {
    if (this.#changed.size < UNFLUSHED_ACTORS_MAX && this.#unflushedEntries < UNFLUSHED_ENTRIES_MAX) return
    const inFileOrder = [...this.#changed.values()].sort((left, right) => left.id - right.id)
    for (const { id, lastRow, lastSeq } of inFileOrder) this.#sql.update.run(lastRow, lastSeq, id)
    this.#sql.writeUntil.run(this.#lastRow)
    this.#changed.clear()
    this.#unflushedEntries = 0
  }

  /**
   * Rebuilds the memory from the file: at the start, and after a rollback, which makes everything remembered here void.
   */
  reload(): void {
    this.#young.clear()
    this.#old.clear()
    this.#changed.clear()
    this.#unflushedEntries = 0
    this.#lastId = this.#sql.lastId.get()?.id ?? 0
    this.#lastRow = this.#sql.readUntil.get()?.heads_until ?? 0
    for (const { id: row, layout } of this.#sql.unflushed.iterate(this.#lastRow)) {
      const entries = new RowEntries(layout, '')
      while (entries.next()) {
        const { actor, seq, eventCount } = entries
        this.#changed.set(actor, { id: actor, previousRow: 0, lastRow: row, lastSeq: seq + eventCount - 1 })
        this.#unflushedEntries++
      }
      this.#lastRow = row
    }
  }

  #foldedSeqOf(id: number): number {
    return this.#sql.foldedSeq.get(id) ?? 0
  }

  #find(shard: number, name: string): Head | null {
    const known = this.#young.get(name)
    if (known !== undefined) return known
    const head = this.#old.get(name) ?? this.#load(shard, name)
    if (head !== null) this.#remember(name, head)
    return head
  }

  #load(shard: number, name: string): Head | null {
    const row = this.#sql.select.get(shard, name)
    if (row === undefined) return null
    const { id, last_row: lastRow, last_seq: lastSeq } = row
    const scanned = this.#changed.get(id)
    // Of an actor that was folded the newest rows may be gone, and the table has its end.
    return scanned !== undefined && scanned.lastSeq >= lastSeq
      ? scanned
      : { id, previousRow: 0, lastRow, lastSeq }
  }

  #create(shard: number, name: string, lastRow: number, lastSeq: number): Head {
    const id = ++this.#lastId
    this.#sql.insert.run(id, shard, name, lastRow, lastSeq)
    const head: Head = { id, previousRow: 0, lastRow, lastSeq }
    this.#remember(name, head)
    return head
  }

  #remember(name: string, head: Head): void {
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, head)
  }
}
