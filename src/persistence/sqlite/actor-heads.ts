import type { Database, Statement } from 'better-sqlite3'

/** Two generations of this many names bound the memory; the older one is dropped whole when the younger is full. */
const GENERATION_SIZE = 50_000
/** Bound what a flush costs, and what must be scanned at the next start. */
const UNFLUSHED_ACTORS_MAX = 4_096
const UNFLUSHED_EVENTS_MAX = 32_768

type Head = { readonly id: number; lastEvent: number | null; lastSeq: number }
type Row = { id: number; last_event: number | null; last_seq: number }

/**
 * Where each actor's chain of events ends. An index over (actor, seq) would cost more than the events themselves,
 * because every event would touch a page of its own; so each event points to the one before, and the ends of the
 * chains are written back in sorted lots. After a crash they are found again by scanning the events since the last lot.
 */
export class ActorHeads {
  readonly #select: Statement<[number, string], Row>
  readonly #insert: Statement
  readonly #update: Statement
  readonly #readUntil: Statement<[], { until_event: number }>
  readonly #writeUntil: Statement
  readonly #unflushed: Statement<[number], { id: number; actor: number; seq: number }>
  readonly #changed = new Map<number, Head>()
  #young = new Map<string, Head>()
  #old = new Map<string, Head>()
  #until = 0
  #lastEvent = 0

  constructor(database: Database) {
    this.#select = database.prepare(
      'SELECT id, last_event, last_seq FROM actors WHERE shard = ? AND name = ?',
    )
    this.#insert = database.prepare(
      'INSERT INTO actors (shard, name, last_event, last_seq) VALUES (?, ?, ?, ?)',
    )
    this.#update = database.prepare('UPDATE actors SET last_event = ?, last_seq = ? WHERE id = ?')
    this.#readUntil = database.prepare('SELECT until_event FROM flushed')
    this.#writeUntil = database.prepare('UPDATE flushed SET until_event = ?')
    this.#unflushed = database.prepare('SELECT id, actor, seq FROM events WHERE id > ? ORDER BY id')
    this.reload()
  }

  /** The number of the last event in the file. */
  get lastEvent(): number {
    return this.#lastEvent
  }

  /** Adds `count` events from `firstEvent` on; answers the actor's row and the event the first of them follows. */
  extend(
    shard: number,
    name: string,
    seq: number,
    count: number,
    firstEvent: number,
  ): { readonly id: number; readonly previous: number | null } {
    const lastEvent = firstEvent + count - 1
    const lastSeq = seq + count - 1
    const head = this.#find(shard, name)
    this.#lastEvent = lastEvent
    if (head === null) {
      if (seq !== 1) throw new Error(`${name} begins with event ${seq}`)
      return { id: this.#create(shard, name, lastEvent, lastSeq), previous: null }
    }
    if (seq !== head.lastSeq + 1)
      throw new Error(`${name} has ${head.lastSeq} events, the next cannot be ${seq}`)
    const previous = head.lastEvent
    head.lastEvent = lastEvent
    head.lastSeq = lastSeq
    this.#changed.set(head.id, head)
    return { id: head.id, previous }
  }

  findOrCreate(shard: number, name: string): number {
    return this.#find(shard, name)?.id ?? this.#create(shard, name, null, 0)
  }

  /** Inside the transaction, after its events. */
  flushWhenDue(): void {
    if (this.#changed.size < UNFLUSHED_ACTORS_MAX && this.#lastEvent - this.#until < UNFLUSHED_EVENTS_MAX)
      return
    const inFileOrder = [...this.#changed.values()].sort((left, right) => left.id - right.id)
    for (const { id, lastEvent, lastSeq } of inFileOrder) this.#update.run(lastEvent, lastSeq, id)
    this.#writeUntil.run(this.#lastEvent)
    this.#changed.clear()
    this.#until = this.#lastEvent
  }

  /** From the file alone: at the start, and after a rollback made everything remembered here void. */
  reload(): void {
    this.#young.clear()
    this.#old.clear()
    this.#changed.clear()
    this.#until = this.#readUntil.get()?.until_event ?? 0
    this.#lastEvent = this.#until
    for (const { id, actor, seq } of this.#unflushed.iterate(this.#until)) {
      this.#changed.set(actor, { id: actor, lastEvent: id, lastSeq: seq })
      this.#lastEvent = id
    }
  }

  #find(shard: number, name: string): Head | null {
    const known = this.#young.get(name)
    if (known !== undefined) return known
    const head = this.#old.get(name) ?? this.#load(shard, name)
    if (head !== null) this.#remember(name, head)
    return head
  }

  #load(shard: number, name: string): Head | null {
    const row = this.#select.get(shard, name)
    if (row === undefined) return null
    return this.#changed.get(row.id) ?? { id: row.id, lastEvent: row.last_event, lastSeq: row.last_seq }
  }

  #create(shard: number, name: string, lastEvent: number | null, lastSeq: number): number {
    const id = Number(this.#insert.run(shard, name, lastEvent, lastSeq).lastInsertRowid)
    this.#remember(name, { id, lastEvent, lastSeq })
    return id
  }

  #remember(name: string, head: Head): void {
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, head)
  }
}
