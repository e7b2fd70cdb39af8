import {
  ShardLost,
  type JournalEntry,
  type LastSnapshot,
  type ShardJournal,
  type ShardLossReason,
  type StoredActor,
  type StoredEvent,
  type StoredSnapshot,
  type TimerRow,
} from '../ports/journal.ts'
import { RepeatedCall, batchIdOf, settleSlot, settledAs } from './store-calls.ts'
import { RecentSlots } from './shard-log-tail.ts'
import { ShardLogCopier } from './shard-log-copier.ts'
import { ShardLogForgetting } from './shard-log-forgetting.ts'
import { releaseSlot, type ShardLogParts, type TakenOver } from './shard-log-takeover.ts'
import { StoreFailure, type AppendOutcome, type LogSlot } from './store-port.ts'

/** Owner, epoch and slot already tell most batches apart, so few characters are enough. */
const WRITER_ID_LENGTH = 10

const nothing = (): void => {}

/** The writer of one shard for one epoch. Once lost it stays lost; taking the shard over again creates a new writer. */
export class ShardLogWriter implements ShardJournal {
  readonly shard: number
  readonly epoch: number
  readonly lost: Promise<ShardLossReason>
  readonly recent: RecentSlots
  readonly #parts: ShardLogParts
  readonly #taken: TakenOver
  readonly #copier: ShardLogCopier
  readonly #forgetting: ShardLogForgetting
  readonly #onCommitted: (no: number) => void
  readonly #stop = new AbortController()
  readonly #settleLost: (reason: ShardLossReason) => void
  #nextNo: number
  #loss: ShardLost | null = null
  #away = false
  #closing = false
  /**
   * The record that hands the shard back may already be in the log, so another node may open the shard at any moment.
   */
  #handingBack = false
  #handedBack = false
  #lastEpoch: number
  /** These belong to the batch under way, until it is committed or the shard is lost. */
  #appending: Promise<void> | null = null
  #slot: LogSlot | null = null
  #committed: (value: void) => void = nothing
  #interrupt: (reason: ShardLost) => void = nothing
  #firstAttempt: RepeatedCall<AppendOutcome>
  readonly #batchPrefix: string
  #wakeForRoom: (() => void) | null = null

  constructor(parts: ShardLogParts, shard: number, taken: TakenOver, onCommitted: (no: number) => void) {
    this.shard = shard
    this.epoch = taken.epoch
    this.#lastEpoch = taken.epoch
    this.#parts = parts
    this.#taken = taken
    this.#onCommitted = onCommitted
    this.#nextNo = taken.openNo + 1
    this.recent = new RecentSlots(taken.openNo)
    const { promise, resolve } = Promise.withResolvers<ShardLossReason>()
    this.lost = promise
    this.#settleLost = resolve
    const owner = {
      shard,
      stopped: this.#stop.signal,
      progressed: () => this.#wakeForRoom?.(),
      failed: (cause: unknown) => this.#lose('failed', cause),
    }
    this.#copier = new ShardLogCopier(parts, owner, taken)
    this.#forgetting = new ShardLogForgetting(parts, {
      shard,
      stopped: this.#stop.signal,
      recent: this.recent,
      mayAct: () => this.confirmed,
    })
    this.#batchPrefix = `${batchIdOf(taken.session.owner, parts.runtime.newId().slice(0, WRITER_ID_LENGTH))}.`
    this.#firstAttempt = this.#newAttempt()
    if (taken.session.ended.aborted) this.#leaseEnded()
    else taken.session.ended.addEventListener('abort', this.#leaseEnded)
  }

  readonly #leaseEnded = (): void => this.#lose('lease-lost')

  get stalled(): boolean {
    return this.#away || this.#copier.lagEvents >= this.#parts.settings.copyLagEventsMax * 0.8
  }

  get confirmed(): boolean {
    return this.#loss === null && !this.#handingBack && this.#taken.session.valid()
  }

  /** True when the log says that this session no longer owns the shard. */
  get handedBack(): boolean {
    return this.#handedBack
  }

  append(entries: readonly JournalEntry[]): Promise<void> {
    if (this.#appending !== null)
      return Promise.reject(new Error(`shard ${this.shard} has a batch under way`))
    if (this.#loss !== null) return Promise.reject(this.#loss)
    if (this.#closing) return Promise.reject(new ShardLost(this.shard, 'closed'))
    const slot: LogSlot = {
      shard: this.shard,
      no: this.#nextNo,
      epoch: this.epoch,
      batchId: this.#batchPrefix + this.#nextNo,
      record: { kind: 'batch', entries },
    }
    this.#slot = slot
    const lagMax = this.#lagMaxBefore(entries)
    const appending = new Promise<void>(this.#awaitCommit)
    this.#appending = appending
    if (this.#copier.lagEvents <= lagMax) this.#send(slot)
    else void this.#room(lagMax).then(() => this.#send(slot))
    return appending
  }

  load(actor: string): Promise<StoredActor> {
    return this.#whileOwned(() => this.#copier.load(actor))
  }

  eventsOf(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    return this.#whileOwned(() => this.#copier.eventsOf(actor, afterSeq))
  }

  saveSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void> {
    const { store, calls } = this.#parts
    const atNo = this.#nextNo - 1
    return this.#whileOwned(() => calls.once(() => store.writeSnapshot(actor, snapshot, atNo)))
  }

  /** What is committed while the snapshot is written is not in it, and stays. */
  async fold(actor: string, snapshot: StoredSnapshot): Promise<boolean> {
    const atNo = this.#nextNo - 1
    await this.saveSnapshot(actor, snapshot)
    const { seq } = snapshot
    return this.#whileOwned(() => this.#forgetting.fold({ actor, seq, atNo }))
  }

  /** What goes whole must not come back with a slot that is copied later, or once more after a takeover. */
  async forget(actor: string, last: LastSnapshot): Promise<boolean> {
    const atNo = this.#nextNo - 1
    if (last.data === null) await this.#whileOwned(() => this.#copier.checkpointed(actor))
    return this.#whileOwned(() => this.#forgetting.forget({ ...last, actor, atNo }))
  }

  timersDue(untilMs: number, after: TimerRow | null, limit: number): Promise<readonly TimerRow[]> {
    return this.#whileOwned(() => this.#copier.timersDue(untilMs, after, limit))
  }

  timersDone(rows: readonly TimerRow[]): Promise<void> {
    return this.#whileOwned(() => this.#copier.timersDone(rows, this.#nextNo - 1))
  }

  timerMoved(from: TimerRow, to: TimerRow): Promise<void> {
    return this.#whileOwned(() => this.#copier.timerMoved(from, to, this.#nextNo - 1))
  }

  catchUp(): Promise<void> {
    return this.#whileOwned(() => this.#copier.flush())
  }

  /**
   * Ends the epoch with a record that leaves the shard without an owner, so that the next node need not wait for a
   * lease to end.
   */
  async close(): Promise<void> {
    if (this.#closing) return void (await this.lost)
    this.#closing = true
    const { runtime, settings } = this.#parts
    const giveUp = runtime.sleep(settings.closeTimeoutMs, this.#stop.signal).catch(() => {})
    await Promise.race([this.#finish().catch(() => {}), giveUp])
    this.#lose('closed')
  }

  async #finish(): Promise<void> {
    await this.#appending?.catch(() => {})
    await this.#copier.flush()
    const release = releaseSlot(this.#parts, this.shard, this.#nextNo, this.epoch + 1)
    this.#handingBack = true
    await this.#forgetting.underWay
    const settled = await settleSlot(this.#parts.store, this.#parts.calls, release, this.#stop.signal)
    if (settled === 'ours') this.#lastEpoch = this.epoch + 1
    this.#handedBack = true
  }

  get lastEpoch(): number {
    return this.#lastEpoch
  }

  /** The promise is rejected as soon as the shard is lost, even if the store never answers. */
  readonly #awaitCommit = (resolve: (value: void) => void, reject: (reason: ShardLost) => void): void => {
    this.#committed = resolve
    this.#interrupt = reject
  }

  /**
   * The first attempt nearly always succeeds, so everything that repetitions need is created only after it has failed.
   */
  #send(slot: LogSlot): void {
    if (this.#loss !== null) return
    if (this.#firstAttempt.isSpent) this.#firstAttempt = this.#newAttempt()
    try {
      this.#firstAttempt.await(this.#parts.store.append(slot))
    } catch (cause) {
      this.#lose('failed', cause)
    }
  }

  #newAttempt(): RepeatedCall<AppendOutcome> {
    return new RepeatedCall(this.#parts.calls, this.#answered, this.#firstFailed)
  }

  readonly #firstFailed = (error: Error): void => {
    const slot = this.#slot
    if (slot === null) return
    if (!(error instanceof StoreFailure)) {
      this.#lose('failed', error)
      return
    }
    void this.#repeat(slot)
  }

  async #repeat(slot: LogSlot): Promise<void> {
    const { store, calls } = this.#parts
    this.#away = true
    try {
      this.#answered(await calls.repeat(this.#stop.signal, () => store.append(slot)))
    } catch (cause) {
      this.#lose('failed', cause)
    }
  }

  readonly #answered = (outcome: AppendOutcome): void => {
    const slot = this.#slot
    this.#away = false
    if (slot === null) return
    if (settledAs(slot, outcome) !== 'ours') {
      this.#lose('fenced')
      return
    }
    try {
      this.#nextNo++
      this.#copier.committed(slot)
      this.recent.add(slot)
      this.#onCommitted(slot.no)
    } catch (cause) {
      this.#lose('failed', cause)
      return
    }
    this.#slot = null
    this.#appending = null
    this.#committed()
  }

  #lagMaxBefore(entries: readonly JournalEntry[]): number {
    let events = 0
    for (const entry of entries) events += entry.events.length
    return Math.max(this.#parts.settings.copyLagEventsMax - events, 0)
  }

  /** Holds a batch back while the copies lag further than a takeover can make up for. */
  async #room(lagMax: number): Promise<void> {
    this.#copier.catchUp()
    while (this.#copier.lagEvents > lagMax && this.#loss === null) {
      await new Promise<void>((resolve) => {
        this.#wakeForRoom = resolve
      })
    }
  }

  #whileOwned<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return this.#loss === null ? work() : Promise.reject(this.#loss)
  }

  #lose(reason: ShardLossReason, cause?: unknown): void {
    if (this.#loss !== null) return
    this.#loss = new ShardLost(this.shard, reason, cause === undefined ? {} : { cause })
    this.#appending = null
    this.#slot = null
    this.#stop.abort(this.#loss)
    this.#taken.session.ended.removeEventListener('abort', this.#leaseEnded)
    this.#interrupt(this.#loss)
    this.#wakeForRoom?.()
    this.#settleLost(reason)
  }
}
