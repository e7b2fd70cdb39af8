import { compareTimerRows, type StoredActor, type StoredEvent, type TimerRow } from '../ports/journal.ts'
import { ShardLogCheckpoint } from './shard-log-checkpoint.ts'
import type { ShardLogParts, TakenOver } from './shard-log-takeover.ts'
import type { LogSlot } from './store-port.ts'
import { TimerFloor } from './timer-floor.ts'
import { UncopiedSlots, eventCountOf, mergeStored, mergeTimerRows } from './shard-log-tail.ts'

export type CopierOwner = {
  readonly shard: number
  readonly stopped: AbortSignal
  /** Called when fewer events wait to be copied than before. */
  progressed(): void
  failed(error: unknown): void
}

/** While the record of an actor waits to go whole. */
const CHECKPOINT_POLL_MS = 50

/**
 * Copies a shard's committed slots to its actors and timers, and reads the copies together with the slots that are not
 * copied yet.
 */
export class ShardLogCopier {
  readonly #parts: ShardLogParts
  readonly #owner: CopierOwner
  readonly #deferred: boolean
  readonly #floor: TimerFloor
  readonly #checkpoint: ShardLogCheckpoint
  readonly #uncopied = new UncopiedSlots()
  /** Which actors have something in slots that a takeover would copy again. */
  readonly #copiedAgain: { readonly no: number; readonly actors: readonly string[] }[] = []
  /** Slots after the last checkpoint, each with its number of events. */
  readonly #behind: { readonly no: number; readonly events: number }[] = []
  #lagEvents = 0
  #eventsSinceCheckpoint = 0
  #copying: Promise<void> | null = null
  /** While a flush waits, slots are copied at once instead of gathering. */
  #flushing = 0
  #endGathering: (() => void) | null = null

  constructor(parts: ShardLogParts, owner: CopierOwner, taken: TakenOver) {
    this.#parts = parts
    this.#owner = owner
    this.#deferred = parts.store.copies === 'deferred'
    this.#floor = new TimerFloor(this.#deferred ? taken.checkpoint.timerAckMs : 0)
    const place = {
      shard: owner.shard,
      epoch: taken.epoch,
      floor: this.#floor,
      stopped: owner.stopped,
      uncopiedTimers: () => this.#uncopied.timers(),
      caughtUp: (no: number) => this.#forgetUpTo(no),
      failed: (error: unknown) => owner.failed(error),
    }
    this.#checkpoint = new ShardLogCheckpoint(parts, place, taken.checkpoint)
    for (const slot of taken.afterCheckpoint) this.committed(slot)
  }

  /** The number of committed events that a takeover would have to read and copy again. */
  get lagEvents(): number {
    return this.#lagEvents
  }

  committed(slot: LogSlot): void {
    if (!this.#deferred) {
      this.#checkpoint.copiedUpTo(slot.no)
      return
    }
    const events = eventCountOf(slot)
    this.#floor.add(slot)
    this.#uncopied.add(slot)
    this.#behind.push({ no: slot.no, events })
    this.#copiedAgain.push({ no: slot.no, actors: actorsOf(slot) })
    // Only where a slot is held back for long; more than that is not remembered.
    if (this.#copiedAgain.length > this.#parts.settings.copyLagEventsMax) this.#copiedAgain.shift()
    this.#lagEvents += events
    if (this.#isFullBatch()) this.#endGathering?.()
    this.#copying ??= this.#copyAll()
  }

  /** Resolves when copies and checkpoint have caught up with the log; rejects when stopped. */
  async flush(): Promise<void> {
    this.#flushing++
    this.#endGathering?.()
    try {
      while (this.#copying !== null) await this.#copying
      await this.#checkpoint.write()
    } finally {
      this.#flushing--
    }
  }

  /** Starts copying and the checkpoint now instead of when they are due. */
  catchUp(): void {
    this.flush().catch((error: unknown) => this.#owner.failed(error))
  }

  /** Resolves when a takeover would copy nothing of the actor again; rejects when stopped. */
  async checkpointed(actor: string): Promise<void> {
    const isCopiedAgain = (): boolean => this.#copiedAgain.some(({ actors }) => actors.includes(actor))
    if (isCopiedAgain()) this.catchUp()
    while (isCopiedAgain()) await this.#parts.runtime.sleep(CHECKPOINT_POLL_MS, this.#owner.stopped)
  }

  async load(actor: string): Promise<StoredActor> {
    const { store, calls } = this.#parts
    for (let before: number | null = null; ; ) {
      // The uncopied entries are taken before the read, so that an entry which is copied meanwhile is in at least one of
      // the two.
      const uncopied = this.#uncopied.entriesOf(actor)
      const { snapshot, events } = await calls.once(() => store.readActor(actor))
      const seq = snapshot?.seq ?? 0
      const next = events[0]?.seq ?? uncopied[0]?.seq ?? seq + 1
      // A fold that the store ended late may have put a newer snapshot in the place of events between its two reads.
      if (next <= seq + 1 || seq === before) return mergeStored(actor, snapshot, events, uncopied)
      before = seq
    }
  }

  async eventsOf(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    const { store, calls } = this.#parts
    const uncopied = this.#uncopied.entriesOf(actor)
    const copied = await calls.once(() => store.readEvents(actor, afterSeq))
    return mergeStored(actor, { seq: afterSeq, data: '' }, copied, uncopied).events
  }

  async timersDue(untilMs: number, after: TimerRow | null, limit: number): Promise<readonly TimerRow[]> {
    const { store, calls } = this.#parts
    const { shard } = this.#owner
    const extra = [...this.#uncopied.timers(), ...this.#floor.held()].filter(
      (row) => row.dueMs < untilMs && (after === null || compareTimerRows(row, after) > 0),
    )
    const { floorMs } = this.#floor
    const stored = await calls.once(() => store.timersDue(shard, floorMs, untilMs, after, limit))
    return mergeTimerRows(stored, extra, limit)
  }

  async timersDone(rows: readonly TimerRow[], atNo: number): Promise<void> {
    const { store, calls } = this.#parts
    await calls.once(() => store.timersDone(this.#owner.shard, rows, atNo))
    this.#uncopied.timersDone(rows)
    this.#floor.done(rows)
  }

  async timerMoved(from: TimerRow, to: TimerRow, atNo: number): Promise<void> {
    const { store, calls } = this.#parts
    const lifted = this.#floor.lift(to)
    // The floor may lift the row to the very time it had, and then clearing the old row would clear the new one.
    if (compareTimerRows(from, lifted) === 0) return
    await calls.once(() => store.timerMoved(this.#owner.shard, from, lifted, atNo))
    this.#uncopied.timersDone([from])
    this.#floor.done([from])
  }

  async #copyAll(): Promise<void> {
    try {
      while (!this.#uncopied.isEmpty) {
        await this.#gather()
        await this.#copyHead()
      }
    } catch (error) {
      this.#owner.failed(error)
    } finally {
      this.#copying = null
    }
  }

  async #gather(): Promise<void> {
    const { runtime, settings } = this.#parts
    if (settings.copyLingerMs === 0 || this.#flushing > 0 || this.#isFullBatch()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#endGathering = resolve
    await Promise.race([promise, runtime.sleep(settings.copyLingerMs, this.#owner.stopped).catch(() => {})])
    this.#endGathering = null
    this.#owner.stopped.throwIfAborted()
  }

  #isFullBatch(): boolean {
    const { copySlotsMax, copyEventsMax } = this.#parts.settings
    return this.#uncopied.slotCount >= copySlotsMax || this.#uncopied.eventCount >= copyEventsMax
  }

  async #copyHead(): Promise<void> {
    const { store, calls, settings } = this.#parts
    const { shard, stopped } = this.#owner
    const slots = this.#uncopied.head(settings.copySlotsMax, settings.copyEventsMax)
    await calls.untilAnswered(stopped, () => store.copy(shard, slots))
    this.#uncopied.copied(slots)
    for (const slot of slots) {
      this.#checkpoint.copiedUpTo(slot.no)
      this.#eventsSinceCheckpoint += eventCountOf(slot)
    }
    if (this.#eventsSinceCheckpoint < settings.checkpointEvents) return
    this.#eventsSinceCheckpoint = 0
    await this.#checkpoint.write()
  }

  #forgetUpTo(no: number): void {
    const count = this.#behind.findIndex((slot) => slot.no > no)
    const gone = this.#behind.splice(0, count < 0 ? this.#behind.length : count)
    for (const { events } of gone) this.#lagEvents -= events
    // A slot that is held back is not in the checkpoint, and neither are those after it.
    const { copiedNo } = this.#checkpoint
    const first = this.#copiedAgain.findIndex((slot) => slot.no > copiedNo)
    this.#copiedAgain.splice(0, first < 0 ? this.#copiedAgain.length : first)
    this.#owner.progressed()
  }
}

const actorsOf = ({ record }: LogSlot): readonly string[] =>
  record.kind === 'open' ? NOBODY : record.entries.map(({ actor }) => actor)

const NOBODY: readonly string[] = []
