import type { Database, Statement } from 'better-sqlite3'

/** Bounds the cost of a flush, and of the scan at the next start. */
const UNFLUSHED_SLOTS_MAX = 8_192

type IndexRow = { shard: number; no: number; slot: number }
type ShardSlots = { highestNo: number; readonly recent: Map<number, number> }

/**
 * The first row of each slot. A key over (shard, no) would touch a page for each of 256 shards in every transaction, so
 * the index is flushed in sorted batches and the newest slots are kept in memory (README.md).
 */
export class SlotIndex {
  readonly #find: Statement<[number, number], { slot: number }>
  readonly #insert: Statement
  readonly #readUntil: Statement<[], { index_until: number }>
  readonly #writeUntil: Statement
  readonly #unflushed: Statement<[number], IndexRow>
  readonly #lastNo: Statement<[number], { no: number | null }>
  readonly #readLastRow: Statement<[], { id: number | null }>
  readonly #shards = new Map<number, ShardSlots>()
  #count = 0
  #lastRow = 0

  constructor(database: Database) {
    this.#find = database.prepare('SELECT slot FROM slot_index WHERE shard = ? AND no = ?')
    this.#insert = database.prepare('INSERT INTO slot_index (shard, no, slot) VALUES (?, ?, ?)')
    this.#readUntil = database.prepare('SELECT index_until FROM flushed')
    this.#writeUntil = database.prepare('UPDATE flushed SET index_until = ?')
    this.#unflushed = database.prepare(
      'SELECT shard, no, id AS slot FROM slots WHERE id > ? AND no IS NOT NULL ORDER BY id',
    )
    this.#lastNo = database.prepare('SELECT max(no) AS no FROM slot_index WHERE shard = ?')
    this.#readLastRow = database.prepare('SELECT max(id) AS id FROM slots')
    this.reload()
  }

  /** The first row of a slot, or null when the slot is free. */
  find(shard: number, no: number): number | null {
    const { highestNo, recent } = this.#of(shard)
    if (no > highestNo) return null
    return recent.get(no) ?? this.#find.get(shard, no)?.slot ?? null
  }

  /** Takes a free slot; returns the id of the first of its rows. */
  take(shard: number, no: number, rows: number): number {
    const slot = this.#lastRow + 1
    this.#lastRow += rows
    this.#add({ shard, no, slot })
    return slot
  }

  /** Runs inside the transaction, after its slots are written. */
  flushWhenDue(): void {
    if (this.#count >= UNFLUSHED_SLOTS_MAX) this.flush()
  }

  flush(): void {
    const shards = [...this.#shards].sort(([left], [right]) => left - right)
    for (const [shard, { recent }] of shards) {
      const slots = [...recent].sort(([left], [right]) => left - right)
      for (const [no, slot] of slots) this.#insert.run(shard, no, slot)
      recent.clear()
    }
    this.#writeUntil.run(this.#lastRow)
    this.#count = 0
  }

  /**
   * Rebuilds the memory from the file: at the start, and after a rollback, which makes everything remembered here void.
   */
  reload(): void {
    this.#shards.clear()
    this.#count = 0
    this.#lastRow = this.#readLastRow.get()?.id ?? 0
    for (const row of this.#unflushed.iterate(this.#readUntil.get()?.index_until ?? 0)) this.#add(row)
  }

  #add({ shard, no, slot }: IndexRow): void {
    const slots = this.#of(shard)
    slots.recent.set(no, slot)
    if (no > slots.highestNo) slots.highestNo = no
    this.#count++
  }

  #of(shard: number): ShardSlots {
    const known = this.#shards.get(shard)
    if (known !== undefined) return known
    const slots = { highestNo: this.#lastNo.get(shard)?.no ?? -1, recent: new Map<number, number>() }
    this.#shards.set(shard, slots)
    return slots
  }
}
