import {
  compareTimerRows,
  type StoredEvent,
  type StoredSnapshot,
  type TailPosition,
  type TimerRow,
} from '../../src/ports/journal.ts'
import { shardOf } from '../../src/domain/references.ts'
import { OWED_TIMER } from '../../src/host/timers/shard-timers.ts'
import type { AppendOutcome, Checkpoint, Forgettable, LogSlot } from '../../src/persistence/store-port.ts'
import { timerKey } from '../../src/persistence/shard-log-tail.ts'
import type { Truth } from './truth.ts'
import { Violation } from './world.ts'

type TimerMark = { readonly row: TimerRow; readonly no: number; readonly isSet: boolean }

type ShardStore = {
  firstSegment: number
  readonly copied: Set<number>
  /** The last word on each row; rows that are gone keep theirs, so that late copies lose against it. */
  readonly timers: Map<string, TimerMark>
  checkpoint: Checkpoint | null
  checkpointEpoch: number
}

/** What an engine does, in the moment in which it does it. The delays and failures around it are the network's. */
export class ModelStore {
  readonly truth: Truth
  readonly segmentSlots: number
  readonly atomic: boolean
  /** Whether copies of forgotten events are dead on arrival. */
  buriesLateCopies = true
  readonly #unpublishedBefore: (shard: number, endNo: number) => TailPosition | null
  readonly #shards = new Map<number, ShardStore>()
  /** By their numbers; a copy may leave a gap that another fills. */
  readonly #events = new Map<string, StoredEvent[]>()
  /**
   * Up to which event and which slot each actor was forgotten, and up to which it went whole: what a copy of such a slot
   * brings, or a snapshot of what is gone, is dead on arrival.
   */
  readonly #forgotten = new Map<string, Readonly<Record<'seq' | 'atNo' | 'goneNo', number>>>()
  readonly #snapshots = new Map<string, StoredSnapshot>()
  readonly #positions = new Map<string, TailPosition>()

  constructor(
    truth: Truth,
    segmentSlots: number,
    atomic: boolean,
    unpublishedBefore: (shard: number, endNo: number) => TailPosition | null,
  ) {
    this.#unpublishedBefore = unpublishedBefore
    this.truth = truth
    this.segmentSlots = segmentSlots
    this.atomic = atomic
  }

  append(slot: LogSlot): AppendOutcome {
    const shard = this.#shard(slot.shard)
    if (this.#segmentOf(slot.no) < shard.firstSegment) return { is: 'retired' }
    const occupant = this.truth.slot(slot.shard, slot.no)
    if (occupant !== undefined) return { is: 'occupied', epoch: occupant.epoch, batchId: occupant.batchId }
    this.truth.committed(slot)
    if (this.atomic) this.copy(slot.shard, [slot])
    return { is: 'written' }
  }

  readLog(shard: number, fromNo: number, limit: number): readonly LogSlot[] {
    const slots: LogSlot[] = []
    if (this.#segmentOf(fromNo) < this.#shard(shard).firstSegment) return slots
    for (let no = fromNo; slots.length < limit; no++) {
      const slot = this.truth.slot(shard, no)
      if (slot === undefined) break
      slots.push(slot)
    }
    return slots
  }

  copy(number: number, slots: readonly LogSlot[]): void {
    const shard = this.#shard(number)
    for (const slot of slots) {
      if (this.truth.slot(number, slot.no)?.batchId !== slot.batchId)
        throw new Violation(`slot ${slot.no} was copied and is not committed`)
      shard.copied.add(slot.no)
      if (slot.record.kind === 'open') continue
      for (const { actor, seq, commandId, events } of slot.record.entries) {
        if (this.buriesLateCopies && this.#isForgotten(actor, slot.no)) continue
        const copies = this.#events.get(actor) ?? []
        for (const [index, data] of events.entries())
          copies[seq + index] = { seq: seq + index, commandId, data }
        this.#events.set(actor, copies)
      }
      for (const mark of marksOf(slot)) this.#mark(shard, mark)
    }
  }

  readEvents(actor: string, afterSeq: number): readonly StoredEvent[] {
    return (this.#events.get(actor) ?? []).filter(({ seq }) => seq > afterSeq)
  }

  #isForgotten(actor: string, no: number): boolean {
    return no <= (this.#forgotten.get(actor)?.atNo ?? -1)
  }

  /** What the events said is in the snapshot, and nobody waits for them any more. */
  forget(number: number, actors: readonly Forgettable[]): void {
    for (const { actor, seq, data, atNo } of actors) {
      const known = this.#forgotten.get(actor) ?? { seq: 0, atNo: -1, goneNo: -1 }
      // A step that was under way when the record went whole does nothing any more.
      if (data !== null && atNo <= known.goneNo) continue
      const last = this.truth.lastOf(number, actor, atNo)
      if (last.seq > seq)
        throw new Violation(`${actor}: event ${last.seq} was forgotten, the snapshot is of ${seq}`)
      const unread = this.#unpublishedBefore(number, last.no + 1)
      if (unread !== null) throw new Violation(`${actor} was forgotten, slot ${unread.no} is not published`)
      // What does not come with it must be durable already.
      const saved = this.#snapshots.get(actor)?.seq ?? 0
      if (data === undefined && saved < seq)
        throw new Violation(`${actor}: events up to ${seq} were forgotten, the snapshot is of ${saved}`)
      if (typeof data === 'string') this.writeSnapshot(actor, { seq, data }, atNo)
      if (data === null) this.#snapshots.delete(actor)
      const goneNo = data === null ? Math.max(atNo, known.goneNo) : known.goneNo
      this.#forgotten.set(actor, { seq: Math.max(seq, known.seq), atNo: Math.max(atNo, known.atNo), goneNo })
      const copies = this.#events.get(actor) ?? []
      for (const no of copies.keys()) if (no <= seq) Reflect.deleteProperty(copies, no)
    }
  }

  /** The copies of events that were forgotten and are there all the same. */
  cameBack(): readonly string[] {
    return [...this.#forgotten].flatMap(([actor, { seq }]) =>
      (this.#events.get(actor) ?? []).some((event) => event.seq <= seq) ? [actor] : [],
    )
  }

  readSnapshot(actor: string): StoredSnapshot | null {
    return this.#snapshots.get(actor) ?? null
  }

  writeSnapshot(actor: string, snapshot: StoredSnapshot, atNo: number): void {
    if (snapshot.seq > (this.truth.actors.get(actor)?.seq ?? 0))
      throw new Violation(`${actor}: snapshot ${snapshot.seq} of what is not committed`)
    if (atNo <= (this.#forgotten.get(actor)?.goneNo ?? -1)) return
    if (snapshot.seq > (this.#snapshots.get(actor)?.seq ?? 0)) this.#snapshots.set(actor, snapshot)
  }

  readCheckpoint(number: number): Checkpoint | null {
    const { checkpoint } = this.#shard(number)
    if (checkpoint === null || !this.atomic) return checkpoint
    return { ...checkpoint, copiedNo: this.truth.lengthOf(number) - 1 }
  }

  writeCheckpoint(number: number, epoch: number, next: Checkpoint): void {
    const shard = this.#shard(number)
    if (epoch < shard.checkpointEpoch) return
    const old = shard.checkpoint ?? next
    const checkpoint: Checkpoint = {
      copiedNo: Math.max(old.copiedNo, next.copiedNo),
      publishedNo: Math.max(old.publishedNo, next.publishedNo),
      projectedNo: Math.max(old.projectedNo, next.projectedNo),
      timerAckMs: Math.max(old.timerAckMs, next.timerAckMs),
    }
    for (let no = 0; no <= checkpoint.copiedNo; no++) {
      if (!shard.copied.has(no))
        throw new Violation(`checkpoint ${checkpoint.copiedNo} over slot ${no}, not copied`)
    }
    shard.checkpoint = checkpoint
    shard.checkpointEpoch = epoch
    this.#assertWakeUps(number)
  }

  retireSegment(number: number, segment: number): void {
    const shard = this.#shard(number)
    for (let no = segment * this.segmentSlots; no < (segment + 1) * this.segmentSlots; no++) {
      if (!shard.copied.has(no))
        throw new Violation(`segment ${segment} was deleted, slot ${no} is not copied`)
    }
    const unread = this.#unpublishedBefore(number, (segment + 1) * this.segmentSlots)
    if (unread !== null)
      throw new Violation(`segment ${segment} was deleted, slot ${unread.no} is not published`)
    shard.firstSegment = Math.max(shard.firstSegment, segment + 1)
  }

  firstSegment(number: number): number {
    return this.#shard(number).firstSegment
  }

  timersDue(
    number: number,
    fromMs: number,
    untilMs: number,
    after: TimerRow | null,
    limit: number,
  ): readonly TimerRow[] {
    return this.pendingTimers(number)
      .filter((row) => row.dueMs >= fromMs && row.dueMs < untilMs)
      .filter((row) => after === null || compareTimerRows(row, after) > 0)
      .slice(0, limit)
  }

  pendingTimers(number: number): readonly TimerRow[] {
    return [...this.#shard(number).timers.values()]
      .filter(({ isSet }) => isSet)
      .map(({ row }) => row)
      .sort(compareTimerRows)
  }

  isCopied(number: number, no: number): boolean {
    return this.#shard(number).copied.has(no)
  }

  timersDone(number: number, rows: readonly TimerRow[], atNo: number): void {
    for (const row of rows) this.#mark(this.#shard(number), { row, no: atNo, isSet: false })
    this.#assertWakeUps(number)
  }

  timerMoved(number: number, from: TimerRow, to: TimerRow, atNo: number): void {
    this.#mark(this.#shard(number), { row: to, no: atNo, isSet: true })
    this.#mark(this.#shard(number), { row: from, no: atNo, isSet: false })
    this.#assertWakeUps(number)
  }

  savePosition(reader: string, shard: number, position: TailPosition): void {
    this.#positions.set(`${reader} ${shard}`, position)
  }

  readPosition(reader: string, shard: number): TailPosition | null {
    return this.#positions.get(`${reader} ${shard}`) ?? null
  }

  /** Whatever dies now: whoever takes the shard over finds a row for everything that its actors wait for. */
  #assertWakeUps(number: number): void {
    const rows = this.#rowsForTakeover(number)
    for (const [id, { state }] of this.truth.actors) {
      if (shardOf(id) !== number) continue
      const ofActor = rows.filter(({ actor }) => actor === id)
      if (state.owed.length > 0 && !ofActor.some(({ timerId }) => timerId === OWED_TIMER))
        throw new Violation(`${id} owes ${state.owed.join(' ')}, and no row would wake it`)
      for (const { id: timerId, dueMs } of state.timers) {
        if (!ofActor.some((row) => row.timerId === timerId && row.dueMs === dueMs))
          throw new Violation(`${timerId} of ${id} has no row`)
      }
    }
  }

  /** The event is in the copies from the acknowledgement on, and in the log after the checkpoint. */
  #rowsForTakeover(number: number): readonly TimerRow[] {
    const { timers, checkpoint } = this.#shard(number)
    const copiedNo = checkpoint?.copiedNo ?? -1
    const found = new Map<string, TimerMark>()
    for (const [key, mark] of timers) {
      if (this.atomic || mark.row.dueMs >= (checkpoint?.timerAckMs ?? 0)) found.set(key, mark)
    }
    for (let no = copiedNo + 1; no < this.truth.lengthOf(number); no++) {
      const slot = this.truth.slot(number, no)
      for (const mark of slot === undefined ? [] : marksOf(slot)) {
        const key = timerKey(mark.row)
        const known = found.get(key)
        if (known === undefined || mark.no > known.no) found.set(key, mark)
      }
    }
    return [...found.values()].filter(({ isSet }) => isSet).map(({ row }) => row)
  }

  /** Writes are ordered by slot, not by time; a later decision about a slot wins over the slot. */
  #mark({ timers }: ShardStore, mark: TimerMark): void {
    const key = timerKey(mark.row)
    const known = timers.get(key)
    if (known === undefined || mark.no > known.no || (mark.no === known.no && !mark.isSet))
      timers.set(key, mark)
  }

  #segmentOf(no: number): number {
    return Math.floor(no / this.segmentSlots)
  }

  #shard(number: number): ShardStore {
    const shard = this.#shards.get(number) ?? {
      firstSegment: 0,
      copied: new Set(),
      timers: new Map(),
      checkpoint: null,
      checkpointEpoch: 0,
    }
    this.#shards.set(number, shard)
    return shard
  }
}

export const PUBLISHER = 'publisher'

/** The net effect of a slot on each row, so that copying it again changes nothing. */
const marksOf = ({ no, record }: LogSlot): Iterable<TimerMark> => {
  const marks = new Map<string, TimerMark>()
  if (record.kind === 'open') return []
  for (const { timersSet, timersCleared } of record.entries) {
    for (const row of timersCleared) marks.set(timerKey(row), { row, no, isSet: false })
    for (const row of timersSet) marks.set(timerKey(row), { row, no, isSet: true })
  }
  return marks.values()
}
