import type { Database } from 'better-sqlite3'
import type { AppendOutcome } from '../../store-port.ts'
import type { ActorHeads } from './actor-heads.ts'
import { parseTimers } from '../../packed-timers.ts'
import { OPEN, type PackedRow, type PackedSlot } from './packed-slots.ts'
import { LayoutWriter } from './row-layout.ts'
import { SEGMENT_SLOTS, segmentOf } from './segments.ts'
import type { SlotIndex } from './slot-index.ts'
import { BATCH, OPEN_RECORD, RowEntries } from './slot-rows.ts'
import type { TimerTable } from '../timer-table.ts'

const WRITTEN: AppendOutcome = { is: 'written' }

const prepare = (database: Database) => ({
  insertRow: database.prepare(
    'INSERT INTO slots (id, shard, no, epoch, rest, layout, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  firstRow: database.prepare<[number], { epoch: number; layout: Buffer; body: string }>(
    'SELECT epoch, layout, body FROM slots WHERE id = ?',
  ),
  firstSegment: database.prepare<[number], { first_segment: number }>(
    'SELECT first_segment FROM shards WHERE shard = ?',
  ),
})

/** Inserts a slot if it is free, together with its new actors, chains of rows and timers. */
export class Appends {
  readonly #heads: ActorHeads
  readonly #index: SlotIndex
  readonly #timers: TimerTable
  readonly #sql: ReturnType<typeof prepare>
  readonly #firstSegments = new Map<number, number>()
  readonly #layout = new LayoutWriter()

  constructor(database: Database, heads: ActorHeads, index: SlotIndex, timers: TimerTable) {
    this.#heads = heads
    this.#index = index
    this.#timers = timers
    this.#sql = prepare(database)
  }

  append(slot: PackedSlot): AppendOutcome {
    const [first] = slot
    const { shard, no, epoch, rest } = first
    if (segmentOf(no) < this.#firstSegmentOf(shard)) return { is: 'retired' }
    const occupied = this.#index.find(shard, no)
    if (occupied !== null) return this.#occupantOf(occupied)
    const id = this.#index.take(shard, no, slot.length)
    this.#sql.insertRow.run(id, shard, no, epoch, rest, this.#layoutOf(first, id), first.body)
    for (let more = 1; more < slot.length; more++) {
      const row = slot[more]
      if (row === undefined) break
      // These rows have no slot number, because only the first row of a slot is found as a slot.
      this.#sql.insertRow.run(id + more, null, null, null, 0, this.#layoutOf(row, id + more), row.body)
    }
    return WRITTEN
  }

  firstKeptNo(shard: number): number {
    return this.#firstSegmentOf(shard) * SEGMENT_SLOTS
  }

  /** The remembered segments are read again after a rollback, and after a segment was retired. */
  forget(): void {
    this.#firstSegments.clear()
  }

  /** Makes the layout of a row, and on the way moves the heads of its actors and writes their timers. */
  #layoutOf(row: PackedRow, id: number): Buffer {
    const { numbers, shard, entries } = row
    const layout = this.#layout
    layout.begin()
    layout.add(entries === OPEN ? OPEN_RECORD : BATCH)
    layout.add(row.batchIdLength)
    let at = row.entriesAt
    let textAt = row.batchIdLength
    for (let entry = 0; entry < entries; entry++) {
      const name = row.actor(entry)
      const seq = numbers[at] ?? 0
      const command = numbers[at + 1] ?? 0
      const timersLength = numbers[at + 2] ?? 0
      const count = numbers[at + 3] ?? 0
      const { id: actor, previousRow } = this.#heads.extend(shard, name, seq, count, id)
      layout.add(actor)
      layout.add(previousRow === 0 ? 0 : id - previousRow)
      layout.add(seq)
      layout.add(command)
      layout.add(timersLength)
      layout.add(count)
      if (timersLength > 0) this.#writeTimers(row, name, row.body.slice(textAt, textAt + timersLength))
      textAt += timersLength + Math.max(0, command - 1)
      at += 4
      for (const end = at + count; at < end; at++) {
        const length = numbers[at] ?? 0
        layout.add(length)
        textAt += length
      }
    }
    return layout.take()
  }

  #writeTimers({ shard, no }: PackedRow, actor: string, text: string): void {
    const { set, cleared } = parseTimers(text, actor)
    this.#timers.remove(shard, cleared, no)
    this.#timers.add(shard, set, no)
  }

  #occupantOf(id: number): AppendOutcome {
    const row = this.#sql.firstRow.get(id)
    if (row === undefined) throw new Error('a slot is in the index and not in the log')
    return { is: 'occupied', epoch: row.epoch, batchId: new RowEntries(row.layout, row.body).batchId }
  }

  #firstSegmentOf(shard: number): number {
    const known = this.#firstSegments.get(shard)
    if (known !== undefined) return known
    const segment = this.#sql.firstSegment.get(shard)?.first_segment ?? 0
    this.#firstSegments.set(shard, segment)
    return segment
  }
}
