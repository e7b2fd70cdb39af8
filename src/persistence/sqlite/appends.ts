import type { Database, Statement } from 'better-sqlite3'
import { type AppendOutcome, segmentOf } from '../store-port.ts'
import type { ActorHeads } from './actor-heads.ts'
import { eventCount, type PackedSlot, parseShape, timersOf } from './packed-slot.ts'
import type { TimerTable } from './timer-table.ts'

type Occupant = { epoch: number; batch_id: string }

const WRITTEN: AppendOutcome = { is: 'written' }

/** The conditional insert of a slot with everything that hangs on it: events, new actors, timers. */
export class Appends {
  readonly #heads: ActorHeads
  readonly #timers: TimerTable
  readonly #insertSlot: Statement
  readonly #occupant: Statement<[number, number], Occupant>
  readonly #insertEvent: Statement
  readonly #firstSegment: Statement<[number], { first_segment: number }>
  readonly #firstSegments = new Map<number, number>()

  constructor(database: Database, heads: ActorHeads, timers: TimerTable) {
    this.#heads = heads
    this.#timers = timers
    this.#insertSlot = database.prepare(
      `INSERT INTO slots (shard, no, epoch, batch_id, node, first_event, last_event, shape)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    this.#occupant = database.prepare('SELECT epoch, batch_id FROM slots WHERE shard = ? AND no = ?')
    this.#insertEvent = database.prepare(
      'INSERT INTO events (id, actor, seq, previous, command_id, data) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#firstSegment = database.prepare('SELECT first_segment FROM shards WHERE shard = ?')
  }

  append(packed: PackedSlot): AppendOutcome {
    const [shard, no, epoch, batchId, node, shape, , , , events] = packed
    if (segmentOf(no) < this.#firstSegmentOf(shard)) return { is: 'retired' }
    const first = this.#heads.lastEvent + 1
    const last = this.#heads.lastEvent + events.length
    const { changes } = this.#insertSlot.run(shard, no, epoch, batchId, node, first, last, shape)
    if (changes === 0) return this.#occupantOf(shard, no)
    if (node === null) this.#writeEntries(packed, first)
    return WRITTEN
  }

  /** What is remembered beside the file is read again after a rollback, and after a segment was retired. */
  forget(): void {
    this.#firstSegments.clear()
  }

  #writeEntries(packed: PackedSlot, first: number): void {
    const [shard, no, , , , shape, actors, seqs, commandIds, events] = packed
    const shapes = parseShape(shape)
    let index = 0
    for (let entry = 0; entry < actors.length; entry++) {
      const name = actors[entry] as string
      const seq = seqs[entry] as number
      const commandId = commandIds[entry] ?? null
      const entryShape = shapes?.[entry] ?? 1
      const count = eventCount(entryShape)
      const { id, previous } = this.#heads.extend(shard, name, seq, count, first + index)
      this.#insertEvent.run(first + index, id, seq, previous, commandId, events[index])
      for (let more = 1; more < count; more++) {
        const event = first + index + more
        this.#insertEvent.run(event, id, seq + more, event - 1, commandId, events[index + more])
      }
      index += count
      if (typeof entryShape !== 'number') {
        const { set, cleared } = timersOf(entryShape, name)
        this.#timers.remove(shard, cleared, no)
        this.#timers.add(shard, set, no)
      }
    }
  }

  #occupantOf(shard: number, no: number): AppendOutcome {
    const row = this.#occupant.get(shard, no)
    if (row === undefined) throw new Error(`slot ${shard}/${no} is neither free nor occupied`)
    return { is: 'occupied', epoch: row.epoch, batchId: row.batch_id }
  }

  #firstSegmentOf(shard: number): number {
    const known = this.#firstSegments.get(shard)
    if (known !== undefined) return known
    const segment = this.#firstSegment.get(shard)?.first_segment ?? 0
    this.#firstSegments.set(shard, segment)
    return segment
  }
}
