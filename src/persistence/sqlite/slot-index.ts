import type { Database, Statement } from 'better-sqlite3'

/** Bounds what a flush costs, and what must be scanned at the next start. */
const UNFLUSHED_SLOTS_MAX = 8_192

type IndexRow = { shard: number; no: number; slot: number }

/**
 * Where each slot's row is. The rows are written one after the other; a key over (shard, no) would touch a page for
 * each of 256 shards in every transaction, so the index is written in sorted lots and the rest is kept in memory, found
 * again after a crash by scanning the slots since the last lot.
 */
export class SlotIndex {
  readonly #find: Statement<[number, number], { slot: number }>
  readonly #insert: Statement
  readonly #readUntil: Statement<[], { until_slot: number }>
  readonly #writeUntil: Statement
  readonly #unflushed: Statement<[number], IndexRow>
  readonly #recent = new Map<number, Map<number, number>>()
  readonly #lasts: Statement<[number], { no: number | null }>
  /** The highest slot number of each shard, as far as it was asked for. */
  readonly #highest = new Map<number, number>()
  #count = 0
  #lastSlot = 0

  constructor(database: Database) {
    this.#find = database.prepare('SELECT slot FROM slot_index WHERE shard = ? AND no = ?')
    this.#insert = database.prepare('INSERT INTO slot_index (shard, no, slot) VALUES (?, ?, ?)')
    this.#readUntil = database.prepare('SELECT until_slot FROM flushed')
    this.#writeUntil = database.prepare('UPDATE flushed SET until_slot = ?')
    this.#unflushed = database.prepare('SELECT shard, no, id AS slot FROM slots WHERE id > ? ORDER BY id')
    this.#lasts = database.prepare('SELECT max(no) AS no FROM slot_index WHERE shard = ?')
    this.reload()
  }

  /** The row of a slot, or null when the slot is free. */
  find(shard: number, no: number): number | null {
    if (no > this.#highestOf(shard)) return null
    return this.#recent.get(shard)?.get(no) ?? this.#find.get(shard, no)?.slot ?? null
  }

  /** Takes the slot, which must be free, and answers the number of its row. */
  take(shard: number, no: number): number {
    this.#add({ shard, no, slot: this.#lastSlot + 1 })
    return this.#lastSlot
  }

  /** Inside the transaction, after its slots. */
  flushWhenDue(): void {
    if (this.#count >= UNFLUSHED_SLOTS_MAX) this.flush()
  }

  flush(): void {
    const shards = [...this.#recent.keys()].sort((left, right) => left - right)
    for (const shard of shards) {
      const slots = [...(this.#recent.get(shard) ?? [])].sort(([left], [right]) => left - right)
      for (const [no, slot] of slots) this.#insert.run(shard, no, slot)
    }
    this.#writeUntil.run(this.#lastSlot)
    this.#recent.clear()
    this.#count = 0
  }

  /** From the file alone: at the start, and after a rollback made everything remembered here void. */
  reload(): void {
    this.#recent.clear()
    this.#highest.clear()
    this.#count = 0
    this.#lastSlot = this.#readUntil.get()?.until_slot ?? 0
    for (const row of this.#unflushed.iterate(this.#lastSlot)) this.#add(row)
  }

  #add({ shard, no, slot }: IndexRow): void {
    const known = this.#recent.get(shard)
    if (known === undefined) this.#recent.set(shard, new Map([[no, slot]]))
    else known.set(no, slot)
    this.#highest.set(shard, Math.max(no, this.#highestOf(shard)))
    this.#count++
    this.#lastSlot = slot
  }

  #highestOf(shard: number): number {
    const known = this.#highest.get(shard)
    if (known !== undefined) return known
    const highest = this.#lasts.get(shard)?.no ?? -1
    this.#highest.set(shard, highest)
    return highest
  }
}
