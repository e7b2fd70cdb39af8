import type { Database, Statement } from 'better-sqlite3'
import { SEGMENT_SLOTS } from './segments.ts'

type IndexRow = { shard: number; no: number; slot: number }

/** Finds the first rows of the slots from a number on, in order, up to the first gap. */
export const prepareLocate = (database: Database, recent: UnindexedSlots) => {
  const indexed = database.prepare<[number, number, number], { no: number; slot: number }>(
    'SELECT no, slot FROM slot_index WHERE shard = ? AND no >= ? ORDER BY no LIMIT ?',
  )
  const first = database.prepare<[number], number>('SELECT first_segment FROM shards WHERE shard = ?').pluck()
  return (shard: number, fromNo: number, limit: number): readonly number[] => {
    const slots: number[] = []
    // Rows of retired slots may be left, in part.
    if (fromNo < (first.get(shard) ?? 0) * SEGMENT_SLOTS) return slots
    for (const row of indexed.all(shard, fromNo, limit)) {
      if (row.no !== fromNo + slots.length) return slots
      slots.push(row.slot)
    }
    const unflushed = recent.of(shard)
    while (slots.length < limit) {
      const slot = unflushed?.get(fromNo + slots.length)
      if (slot === undefined) break
      slots.push(slot)
    }
    return slots
  }
}

/** The number of a shard's last slot; null when it has none. */
export const prepareLastNo = (database: Database, recent: UnindexedSlots) => {
  const indexed = database.prepare<[number], { no: number | null }>(
    'SELECT max(no) AS no FROM slot_index WHERE shard = ?',
  )
  const read = (shard: number): number | null => {
    const numbers = [...(recent.of(shard)?.keys() ?? [])]
    const flushed = indexed.get(shard)?.no ?? null
    return numbers.reduce<number | null>((last, no) => Math.max(last ?? no, no), flushed)
  }
  return database.transaction(read)
}

/** The slots that the writer has not put into the index yet, found by reading on from the last row seen. */
export class UnindexedSlots {
  readonly #until: Statement<[], { index_until: number }>
  readonly #unflushed: Statement<[number], IndexRow>
  readonly #shards = new Map<number, Map<number, number>>()
  #flushedUntil = 0
  #seen = 0

  constructor(database: Database) {
    this.#until = database.prepare('SELECT index_until FROM flushed')
    this.#unflushed = database.prepare(
      'SELECT shard, no, id AS slot FROM slots WHERE id > ? AND no IS NOT NULL ORDER BY id',
    )
  }

  of(shard: number): ReadonlyMap<number, number> | undefined {
    const until = this.#until.get()?.index_until ?? 0
    if (until !== this.#flushedUntil) {
      this.#shards.clear()
      this.#flushedUntil = until
      this.#seen = until
    }
    for (const row of this.#unflushed.iterate(this.#seen)) {
      const known = this.#shards.get(row.shard)
      if (known === undefined) this.#shards.set(row.shard, new Map([[row.no, row.slot]]))
      else known.set(row.no, row.slot)
      this.#seen = row.slot
    }
    return this.#shards.get(shard)
  }
}
