import type { Database, Statement } from 'better-sqlite3'
import { type AppendOutcome, segmentOf } from '../store-port.ts'
import type { ActorHeads } from './actor-heads.ts'
import type { PackedSlot } from './packed-slots.ts'
import type { SlotIndex } from './slot-index.ts'
import { eventCount, parseShape, timersOf } from './slot-shape.ts'
import type { TimerTable } from './timer-table.ts'

type Occupant = { epoch: number; batchId: string }

const WRITTEN: AppendOutcome = { is: 'written' }

/** The conditional insert of a slot with everything that hangs on it: events, new actors, timers. */
export class Appends {
  readonly #heads: ActorHeads
  readonly #index: SlotIndex
  readonly #timers: TimerTable
  readonly #insertSlot: Statement
  readonly #occupant: Statement<[number], Occupant>
  readonly #insertEvent: Statement
  readonly #firstSegment: Statement<[number], { first_segment: number }>
  readonly #firstSegments = new Map<number, number>()

  constructor(database: Database, heads: ActorHeads, index: SlotIndex, timers: TimerTable) {
    this.#heads = heads
    this.#index = index
    this.#timers = timers
    this.#insertSlot = database.prepare(
      `INSERT INTO slots (id, shard, no, epoch, batch_id, node, first_event, last_event, shape)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#occupant = database.prepare('SELECT epoch, batch_id AS batchId FROM slots WHERE id = ?')
    this.#insertEvent = database.prepare(
      'INSERT INTO events (id, actor, seq, previous, command_id, data) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#firstSegment = database.prepare('SELECT first_segment FROM shards WHERE shard = ?')
  }

  append(slot: PackedSlot): AppendOutcome {
    const { shard, no, epoch, batchId, node, shape } = slot
    if (segmentOf(no) < this.#firstSegmentOf(shard)) return { is: 'retired' }
    const occupied = this.#index.find(shard, no)
    if (occupied !== null) return this.#occupantOf(occupied)
    const first = this.#heads.lastEvent + 1
    const last = this.#heads.lastEvent + slot.eventCount
    this.#insertSlot.run(this.#index.take(shard, no), shard, no, epoch, batchId, node, first, last, shape)
    this.#writeEntries(slot, first)
    return WRITTEN
  }

  /** What is remembered beside the file is read again after a rollback, and after a segment was retired. */
  forget(): void {
    this.#firstSegments.clear()
  }

  #writeEntries(slot: PackedSlot, first: number): void {
    const shapes = parseShape(slot.shape)
    let index = 0
    for (let entry = 0; entry < slot.entryCount; entry++) {
      const name = slot.actor(entry)
      const seq = slot.seq(entry)
      const shape = shapes?.[entry] ?? 1
      const count = eventCount(shape)
      const { id, previous } = this.#heads.extend(slot.shard, name, seq, count, first + index)
      const commandId = slot.commandId(entry)
      this.#insertEvent.run(first + index, id, seq, previous, commandId, slot.event(index))
      for (let more = 1; more < count; more++) {
        const event = first + index + more
        this.#insertEvent.run(event, id, seq + more, event - 1, commandId, slot.event(index + more))
      }
      index += count
      if (typeof shape !== 'number') {
        const { set, cleared } = timersOf(shape, name)
        this.#timers.remove(slot.shard, cleared, slot.no)
        this.#timers.add(slot.shard, set, slot.no)
      }
    }
  }

  #occupantOf(row: number): AppendOutcome {
    const occupant = this.#occupant.get(row)
    if (occupant === undefined) throw new Error('a slot is in the index and not in the log')
    return { is: 'occupied', ...occupant }
  }

  #firstSegmentOf(shard: number): number {
    const known = this.#firstSegments.get(shard)
    if (known !== undefined) return known
    const segment = this.#firstSegment.get(shard)?.first_segment ?? 0
    this.#firstSegments.set(shard, segment)
    return segment
  }
}
