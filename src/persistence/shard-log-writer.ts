import {
  type JournalEntry,
  type ShardJournal,
  ShardLost,
  type ShardLossReason,
  type StoredActor,
  type StoredSnapshot,
  type TimerRow,
} from '../actors/journal-port.ts'
import { RecentSlots } from './recent-slots.ts'
import { ShardLogCopier } from './shard-log-copier.ts'
import { batchIdOf, settleSlot } from './shard-log-slots.ts'
import { releaseSlot, type ShardLogParts, type TakenOver } from './shard-log-takeover.ts'
import type { LogSlot } from './store-port.ts'

/** The writer of one shard for one epoch. Once lost it stays lost; taking the shard over again makes another one. */
export class ShardLogWriter implements ShardJournal {
  readonly shard: number
  readonly epoch: number
  readonly lost: Promise<ShardLossReason>
  readonly recent = new RecentSlots()
  readonly #parts: ShardLogParts
  readonly #taken: TakenOver
  readonly #copier: ShardLogCopier
  readonly #onCommitted: (no: number) => void
  readonly #stop = new AbortController()
  readonly #settleLost: (reason: ShardLossReason) => void
  #nextNo: number
  #loss: ShardLost | null = null
  #away = false
  #closing = false
  /** The record that gives the shard to nobody may be in the log: another may open it at any moment. */
  #handingBack = false
  #handedBack = false
  #appending: Promise<void> | null = null
  /** Ends the wait of the append under way when the shard is lost. */
  #interrupt: ((reason: ShardLost) => void) | null = null
  #wakeForRoom: (() => void) | null = null

  constructor(parts: ShardLogParts, shard: number, taken: TakenOver, onCommitted: (no: number) => void) {
    this.shard = shard
    this.epoch = taken.epoch
    this.#parts = parts
    this.#taken = taken
    this.#onCommitted = onCommitted
    this.#nextNo = taken.openNo + 1
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

  /** The log says that this session owns the shard no longer. */
  get handedBack(): boolean {
    return this.#handedBack
  }

  append(entries: readonly JournalEntry[]): Promise<void> {
    if (this.#appending !== null)
      return Promise.reject(new Error(`shard ${this.shard} has a batch under way`))
    if (this.#loss !== null) return Promise.reject(this.#loss)
    if (this.#closing) return Promise.reject(new ShardLost(this.shard, 'closed'))
    this.#appending = this.#unlessLost(() => this.#append(entries))
    return this.#appending
  }

  load(actor: string): Promise<StoredActor> {
    return this.#whileOwned(() => this.#copier.load(actor))
  }

  saveSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void> {
    const { store, attempts } = this.#parts
    return this.#whileOwned(() => attempts.once(() => store.writeSnapshot(actor, snapshot)))
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

  /** Hands the shard back with a record that gives it to nobody, so that no taker has to wait for a lease to end. */
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
    await settleSlot(this.#parts.store, this.#parts.attempts, release, this.#stop.signal)
    this.#handedBack = true
  }

  async #append(entries: readonly JournalEntry[]): Promise<void> {
    const { store, attempts, runtime } = this.#parts
    const slot: LogSlot = {
      shard: this.shard,
      no: this.#nextNo,
      epoch: this.epoch,
      batchId: batchIdOf(this.#taken.session.owner, runtime.newId()),
      record: { kind: 'batch', entries },
    }
    const lagMax = this.#lagMaxBefore(entries)
    if (this.#copier.lagEvents > lagMax) await this.#room(lagMax)
    const settled = await settleSlot(store, attempts, slot, this.#stop.signal, (away) => {
      this.#away = away
    })
    if (settled !== 'ours') {
      this.#lose('fenced')
      return
    }
    if (this.#loss !== null) return
    this.#nextNo++
    this.#copier.committed(slot)
    this.recent.add(slot)
    this.#onCommitted(slot.no)
  }

  #lagMaxBefore(entries: readonly JournalEntry[]): number {
    let events = 0
    for (const entry of entries) events += entry.events.length
    return Math.max(this.#parts.settings.copyLagEventsMax - events, 0)
  }

  /** Keeps the copies from lagging further than a takeover can make up for. */
  async #room(lagMax: number): Promise<void> {
    this.#copier.catchUp()
    while (this.#copier.lagEvents > lagMax && this.#loss === null) {
      await new Promise<void>((resolve) => {
        this.#wakeForRoom = resolve
      })
    }
  }

  /** The caller hears at once that the shard is lost, also when the store never answers again. */
  #unlessLost(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject
      work().then(
        () => {
          this.#appending = null
          resolve()
        },
        (cause: unknown) => this.#lose('failed', cause),
      )
    })
  }

  #whileOwned<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return this.#loss === null ? work() : Promise.reject(this.#loss)
  }

  #lose(reason: ShardLossReason, cause?: unknown): void {
    if (this.#loss !== null) return
    this.#loss = new ShardLost(this.shard, reason, cause === undefined ? {} : { cause })
    this.#appending = null
    this.#stop.abort(this.#loss)
    this.#taken.session.ended.removeEventListener('abort', this.#leaseEnded)
    this.#interrupt?.(this.#loss)
    this.#wakeForRoom?.()
    this.#settleLost(reason)
  }
}
