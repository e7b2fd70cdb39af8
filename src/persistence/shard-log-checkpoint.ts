import type { TimerRow } from '../ports/journal.ts'
import { together } from '../timing/together.ts'
import { SegmentRetirement } from './segment-retirement.ts'
import type { ShardLogParts } from './shard-log-takeover.ts'
import type { Checkpoint } from './store-port.ts'
import type { TimerFloor } from './timer-floor.ts'

export type CheckpointPlace = {
  readonly shard: number
  readonly epoch: number
  readonly floor: TimerFloor
  readonly stopped: AbortSignal
  uncopiedTimers(): readonly TimerRow[]
  /** Called when the checkpoint covers all copies up to this slot, except one that is held back on purpose. */
  caughtUp(copiedNo: number): void
  failed(error: unknown): void
}

/** Moves a shard's checkpoint forward after its copies: one write at a time, often enough to keep a takeover short. */
export class ShardLogCheckpoint {
  readonly #parts: ShardLogParts
  readonly #place: CheckpointPlace
  readonly #retirement: SegmentRetirement
  #written: Checkpoint
  #copiedNo: number
  #planned = false
  #plannedAgain = false
  #writing: Promise<void> | null = null
  #floorCheckedAtMs: number

  constructor(parts: ShardLogParts, place: CheckpointPlace, written: Checkpoint) {
    this.#parts = parts
    this.#place = place
    this.#retirement = new SegmentRetirement(parts, place.shard, written, place.stopped)
    this.#written = written
    this.#copiedNo = written.copiedNo
    this.#floorCheckedAtMs = parts.runtime.monotonicMs()
  }

  get isBehind(): boolean {
    return this.#place.floor.copiedUpTo(this.#copiedNo) > this.#written.copiedNo
  }

  /** Up to which slot the last one that was written says that everything is copied. */
  get copiedNo(): number {
    return this.#written.copiedNo
  }

  copiedUpTo(no: number): void {
    this.#copiedNo = no
    void this.#plan()
  }

  /** Resolves when a checkpoint that covers everything copied before the call is written; rejects when stopped. */
  async write(): Promise<void> {
    while (this.#writing !== null) await this.#writing
    if (!this.isBehind) return this.#place.caughtUp(this.#copiedNo)
    await this.#writeNow()
  }

  async #writeNow(): Promise<void> {
    this.#writing = this.#writeOnce().finally(() => {
      this.#writing = null
    })
    await this.#writing
  }

  /** Plans a write for later, so that a shard without traffic gets an exact checkpoint too. */
  async #plan(): Promise<void> {
    if (this.#planned) return
    this.#planned = true
    try {
      await this.#sleep(this.#parts.settings.checkpointIntervalMs)
      this.#planned = false
      await this.write()
    } catch (error) {
      this.#place.failed(error)
    }
  }

  async #writeOnce(): Promise<void> {
    const { store, calls } = this.#parts
    await this.#raiseFloor()
    const copiedTo = this.#copiedNo
    const copiedNo = this.#place.floor.copiedUpTo(copiedTo)
    const read = await this.#retirement.readUpTo(copiedNo)
    const checkpoint: Checkpoint = { copiedNo, ...read, timerAckMs: this.#place.floor.floorMs }
    await calls.untilAnswered(this.#place.stopped, () =>
      store.writeCheckpoint(this.#place.shard, this.#place.epoch, checkpoint),
    )
    this.#written = checkpoint
    this.#place.caughtUp(copiedTo)
    await this.#retirement.retire(checkpoint)
    if (this.#retirement.isWaiting) void this.#lookAgain()
  }

  /** Readers note late how far they are, and a shard without traffic has no further checkpoint of its own. */
  async #lookAgain(): Promise<void> {
    if (this.#plannedAgain) return
    this.#plannedAgain = true
    try {
      await this.#sleep(this.#parts.settings.retireAgainMs)
      this.#plannedAgain = false
      while (this.#writing !== null) await this.#writing
      if (this.#retirement.isWaiting) await this.#writeNow()
    } catch (error) {
      this.#place.failed(error)
    }
  }

  /** All shards wake at the same moments, because each would have a transaction to itself otherwise. */
  async #sleep(ms: number): Promise<void> {
    const { runtime } = this.#parts
    const nowMs = runtime.monotonicMs()
    await runtime.sleep(together(nowMs + ms) - nowMs, this.#place.stopped)
  }

  async #raiseFloor(): Promise<void> {
    const { store, calls, runtime, settings } = this.#parts
    const now = runtime.monotonicMs()
    if (store.copies === 'atomic' || now - this.#floorCheckedAtMs < settings.timerAckIntervalMs) return
    this.#floorCheckedAtMs = now
    await this.#place.floor.raise(
      runtime.now() - settings.timerAckMarginMs,
      this.#place.uncopiedTimers(),
      (fromMs, untilMs) =>
        calls.untilAnswered(this.#place.stopped, () =>
          store.timersDue(this.#place.shard, fromMs, untilMs, null, 1),
        ),
    )
  }
}
