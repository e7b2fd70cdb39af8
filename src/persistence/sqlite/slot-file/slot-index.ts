import type { Database } from 'better-sqlite3'

/** Bounds the cost of a flush, and of the scan at the next start. */
const UNFLUSHED_SLOTS_MAX = 8_192

type IndexRow = { shard: number; no: number; slot: number }
type ShardSlots = { highestNo: number; readonly recent: Map<number, number> }

const prepare = (database: Database) => ({
  find: database.prepare<[number, number], { slot: number }>(
    'SELECT slot FROM slot_index WHERE shard = ? AND no = ?',
  ),
  insert: database.prepare('INSERT INTO slot_index (shard, no, slot) VALUES (?, ?, ?)'),
  readUntil: database.prepare<[], { index_until: number }>('SELECT index_until FROM flushed'),
  writeUntil: database.prepare('UPDATE flushed SET index_until = ?'),
  unflushed: database.prepare<[number], IndexRow>(
    'SELECT shard, no, id AS slot FROM slots WHERE id > ? AND no IS NOT NULL ORDER BY id',
  ),
  lastNo: database.prepare<[number], { no: number | null }>(
    'SELECT max(no) AS no FROM slot_index WHERE shard = ?',
  ),
  lastRow: database.prepare<[], { id: number }>(
    'SELECT max(heads_until, index_until, (SELECT ifnull(max(id), 0) FROM slots)) AS id FROM flushed',
  ),
  deleteBefore: database.prepare('DELETE FROM slot_index WHERE shard = ? AND no < ?'),
})

/**
 * The first row of each slot. A key over (shard, no) would touch a page for each of 256 shards in every transaction, so
 * the index is flushed in sorted batches and the newest slots are kept in memory (README.md).
 */
export class SlotIndex {
  readonly #sql: ReturnType<typeof prepare>
  readonly #shards = new Map<number, ShardSlots>()
  #count = 0
  #lastRow = 0

  constructor(database: Database) {
    this.#sql = prepare(database)
    this.reload()
  }

  /** The first row of a slot, or null when the slot is free. */
  find(shard: number, no: number): number | null {
    const { highestNo, recent } = this.#of(shard)
    if (no > highestNo) return null
    return recent.get(no) ?? this.#sql.find.get(shard, no)?.slot ?? null
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

  /** The slots before this one have left the log. */
  retire(shard: number, beforeNo: number): void {
    const { recent } = this.#of(shard)
    for (const no of recent.keys()) if (no < beforeNo && recent.delete(no)) this.#count--
    this.#sql.deleteBefore.run(shard, beforeNo)
  }

  flush(): void {
    const shards = [...this.#shards].sort(([left], [right]) => left - right)
    for (const [shard, { recent }] of shards) {
      const slots = [...recent].sort(([left], [right]) => left - right)
      for (const [no, slot] of slots) this.#sql.insert.run(shard, no, slot)
      recent.clear()
    }
    this.#sql.writeUntil.run(this.#lastRow)
    this.#count = 0
  }

  /**
   * Rebuilds the memory from the file: at the start, and after a rollback, which makes everything remembered here void.
   */
  reload(): void {
    this.#shards.clear()
    this.#count = 0
    this.#lastRow = this.#sql.lastRow.get()?.id ?? 0
    for (const row of this.#sql.unflushed.iterate(this.#sql.readUntil.get()?.index_until ?? 0)) this.#add(row)
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
    const slots = { highestNo: this.#sql.lastNo.get(shard)?.no ?? -1, recent: new Map<number, number>() }
    this.#shards.set(shard, slots)
    return slots
  }
}
