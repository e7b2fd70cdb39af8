import type { Database, Statement } from 'better-sqlite3'
import { type AppendOutcome, segmentOf } from '../store-port.ts'
import type { ActorIds } from './actor-ids.ts'
import { eventCount, type PackedSlot, parseShape, timersOf } from './packed-slot.ts'

type Occupant = { epoch: number; batch_id: string }

const WRITTEN: AppendOutcome = { is: 'written' }

/** The conditional insert of a slot with everything that hangs on it: events, new actors, timers. */
export class Appends {
  readonly #actors: ActorIds
  readonly #insertSlot: Statement
  readonly #occupant: Statement<[number, number], Occupant>
  readonly #insertEvent: Statement
  readonly #insertTimer: Statement
  readonly #deleteTimer: Statement
  readonly #firstSegment: Statement<[number], { first_segment: number }>
  readonly #lastEvent: Statement<[], { id: number | null }>
  readonly #firstSegments = new Map<number, number>()
  #nextEvent: number

  constructor(database: Database, actors: ActorIds) {
    this.#actors = actors
    this.#insertSlot = database.prepare(
      `INSERT INTO slots (shard, no, epoch, batch_id, node, first_event, last_event, shape)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    this.#occupant = database.prepare('SELECT epoch, batch_id FROM slots WHERE shard = ? AND no = ?')
    this.#insertEvent = database.prepare(
      'INSERT INTO events (id, actor, seq, command_id, data) VALUES (?, ?, ?, ?, ?)',
    )
    this.#insertTimer = database.prepare(
      'INSERT INTO timers (shard, due_ms, actor, timer_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    )
    this.#deleteTimer = database.prepare(
      'DELETE FROM timers WHERE shard = ? AND due_ms = ? AND actor = ? AND timer_id = ?',
    )
    this.#firstSegment = database.prepare('SELECT first_segment FROM shards WHERE shard = ?')
    this.#lastEvent = database.prepare('SELECT max(id) AS id FROM events')
    this.#nextEvent = this.#readNextEvent()
  }

  append(packed: PackedSlot): AppendOutcome {
    const [shard, no, epoch, batchId, node, shape, , , , events] = packed
    if (segmentOf(no) < this.#firstSegmentOf(shard)) return { is: 'retired' }
    const first = this.#nextEvent
    const last = first + events.length - 1
    const { changes } = this.#insertSlot.run(shard, no, epoch, batchId, node, first, last, shape)
    if (changes === 0) return this.#occupantOf(shard, no)
    this.#nextEvent = last + 1
    if (node === null) this.#writeEntries(packed, first)
    return WRITTEN
  }

  /** What is remembered beside the file is read again after a rollback or when a segment was retired. */
  forget(): void {
    this.#firstSegments.clear()
    this.#nextEvent = this.#readNextEvent()
  }

  #writeEntries([shard, , , , , shape, actors, seqs, commandIds, events]: PackedSlot, first: number): void {
    const shapes = parseShape(shape)
    let index = 0
    for (let entry = 0; entry < actors.length; entry++) {
      const name = actors[entry] as string
      const actor = this.#actors.findOrCreate(shard, name)
      const entryShape = shapes?.[entry] ?? 1
      const end = index + eventCount(entryShape)
      for (let seq = seqs[entry] as number; index < end; index++, seq++) {
        this.#insertEvent.run(first + index, actor, seq, commandIds[entry] ?? null, events[index])
      }
      if (typeof entryShape !== 'number') this.#writeTimers(shard, timersOf(entryShape, name))
    }
  }

  #writeTimers(shard: number, { set, cleared }: ReturnType<typeof timersOf>): void {
    for (const { dueMs, actor, timerId } of cleared) this.#deleteTimer.run(shard, dueMs, actor, timerId)
    for (const { dueMs, actor, timerId } of set) this.#insertTimer.run(shard, dueMs, actor, timerId)
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

  #readNextEvent(): number {
    return (this.#lastEvent.get()?.id ?? 0) + 1
  }
}
