import { Admission, type AdmissionLimits, refusalReasons } from './admission.ts'
import { AtomicCommand } from './commands/atomic-command.ts'
import type { PendingCommand } from './commands/pending-command.ts'
import { CommitQueue, type BatchLimits } from './commit/commit-queue.ts'
import type { EndOfTick } from './commit/end-of-tick.ts'
import { BodyDeletions } from './commit/body-deletions.ts'
import { DataKeys } from './commit/data-keys.ts'
import type { AnyActorDefinition, Registry } from './definition.ts'
import { Effects } from './effects/effects.ts'
import type { FairScheduler } from './effects/fair-scheduler.ts'
import { notOwner, overloaded, type ReportFault, unavailable } from './faults.ts'
import type { AskFailed } from '../ports/actors.ts'
import { ShardLost, type ShardJournal } from '../ports/journal.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { CopiesElsewhere } from '../ports/hot-facts.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import type { Eviction } from './residents/eviction.ts'
import type { Resident } from './residents/resident.ts'
import type { ActorSystem } from './residents/resident-actor.ts'
import { ShardResidents } from './residents/shard-residents.ts'
import type { Rests } from './rests.ts'
import { ShardContext } from './shard-context.ts'
import { ShardTimers, type TimerLimits } from './timers/shard-timers.ts'

export type ShardLimits = AdmissionLimits & BatchLimits & TimerLimits

export type ShardHostOptions = {
  readonly journal: ShardJournal
  readonly vault: Vault | null
  readonly bodies: Pick<BodyStore, 'keepOnly' | 'deleteOthers'> | null
  readonly runtime: Runtime
  readonly rests: Rests
  readonly copies?: CopiesElsewhere | null
  readonly report: ReportFault
  readonly limits: ShardLimits
  readonly registry: Registry
  readonly system: ActorSystem
  readonly endOfTick: EndOfTick
  readonly eviction: Eviction
  readonly scheduler: FairScheduler
  /** Something of the shard is due in so many milliseconds; left out where it is ticked all the time. */
  readonly wanted?: (inMs: number) => void
}

export type ShardCounts = {
  /** Tells one opening from the next, which counts from zero again. */
  readonly epoch: number
  /** Commands and reads that came, those that were refused too. */
  readonly asks: number
  readonly events: number
  readonly bytes: number
  /** Batches that were committed; each is durable by itself. */
  readonly batches: number
  /** Actors that were read from the journal. */
  readonly loads: number
  readonly residents: number
}

const DRAIN_POLL_MS = 10

/** All actors of one shard that this process owns, from opening until it is lost or closed. */
export class ShardHost {
  readonly #context: ShardContext
  readonly #ended = new AbortController()
  readonly #admission: Admission
  readonly #commits: CommitQueue
  readonly #keys: DataKeys
  readonly #timers: ShardTimers
  readonly #residents: ShardResidents
  #isClosing = false
  #asks = 0

  constructor(options: ShardHostOptions) {
    const { journal, limits, registry, eviction } = options
    const context = new ShardContext(options, this.#ended.signal)
    const timers = new ShardTimers(context, limits, (row) => this.#residents.fire(row))
    const keys = new DataKeys(context, timers)
    const failed = (error: Error): void => this.#appendFailed(error)
    const commits = new CommitQueue({ context, limits, endOfTick: options.endOfTick, timers, keys, failed })
    const deletions = new BodyDeletions(context, timers)
    const effects = new Effects(context, options.scheduler, timers)
    const supervisor = options.system.supervisor(journal.shard)
    this.#admission = new Admission(limits)
    this.#context = context
    this.#commits = commits
    this.#keys = keys
    this.#timers = timers
    const parts = { context, registry, supervisor, eviction, keys, commits, effects, deletions, timers }
    this.#residents = new ShardResidents(parts)
    context.copies?.opened(journal.shard, journal.epoch)
    void journal.lost.then(() => this.#drop())
  }

  get waiting(): number {
    return this.#admission.waiting
  }

  get timersLoaded(): number {
    return this.#timers.loaded
  }

  get epoch(): number {
    return this.#context.journal.epoch
  }

  counts(): ShardCounts {
    const { events, bytes, batches } = this.#commits
    const { count: residents, loads } = this.#residents
    return { epoch: this.epoch, asks: this.#asks, events, bytes, batches, loads, residents }
  }

  catchUp(): Promise<void> {
    return this.#context.journal.catchUp()
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Whether it takes on what is asked now. */
  get isTaking(): boolean {
    return !this.#isClosing && !this.ended.aborted
  }

  /** Aborted when the shard is not served here any more. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  resident(actor: string): Resident | undefined {
    return this.#residents.get(actor)
  }

  /** Null when the command was taken on; its settling brings the answer. `known`: the resident, if it is one. */
  submit(
    known: Resident | null,
    actor: string,
    definition: AnyActorDefinition,
    command: PendingCommand,
    nowMs: number,
  ): AskFailed | null {
    this.#asks++
    const refusal = this.#refusal() ?? this.#admit(command, known === null ? 0 : known.waiting)
    if (refusal !== null) return refusal
    const resident = known ?? this.#residents.find(actor, definition)
    if (known !== null) this.#residents.used(known, nowMs)
    resident.waiting++
    command.countedFor = resident
    command.release = this.#release
    this.#residents.enqueue(resident, command)
    return null
  }

  /**
   * A view of an actor that can answer here and now; undefined when the read has to take its turn. Every gate that an
   * answer passes at its end is passed here.
   */
  readNow(resident: Resident, view: string, nowMs: number): unknown {
    const { state } = resident
    if (state === null || state.isAhead || state.isOutdated || !resident.isUnoccupied) return undefined
    if (this.#refusal() !== null || this.#keys.owesErasure(resident)) return undefined
    try {
      const shown = state.read(view)
      this.#residents.used(resident, nowMs)
      this.#asks++
      return shown
    } catch {
      // It will throw again in its turn, where supervision sees to it.
      return undefined
    }
  }

  removeUnread(actor: string, definition: AnyActorDefinition): Promise<void> {
    const refusal = this.#refusal()
    return refusal === null ? this.#residents.removeUnread(actor, definition) : Promise.reject(refusal)
  }

  tick(nowMs: number): void {
    if (!this.#isClosing) this.#timers.tick(nowMs)
  }

  /** When `tick` or `forget` has something to do next, by the time of day. */
  get nextMs(): number {
    return this.#isClosing ? Number.POSITIVE_INFINITY : this.#timers.nextMs
  }

  hasToForget(nowMs: number): boolean {
    return !this.#isClosing && this.#residents.forgetRoom > 0 && this.#timers.hasToForget(nowMs)
  }

  /** Begins with so many records at most whose events may go; answers with how many there were. */
  forget(nowMs: number, max: number): number {
    return this.#timers.forget(nowMs, Math.min(max, this.#residents.forgetRoom))
  }

  /** Answers what was admitted, as long as that takes no longer than `drainMs`, then lets the shard go. */
  async close(drainMs: number): Promise<void> {
    const { runtime, journal } = this.#context
    this.#isClosing = true
    this.#commits.stopLingering()
    const endMs = runtime.monotonicMs() + drainMs
    while (!this.#isDrained() && !this.ended.aborted && runtime.monotonicMs() < endMs)
      await runtime.sleep(DRAIN_POLL_MS)
    this.#ended.abort()
    // First the journal, which finishes a batch that is under way; then commands that still wait fail as retryable.
    await journal.close()
    this.#drop()
  }

  #isDrained(): boolean {
    return this.#admission.waiting === 0 && this.#commits.isIdle
  }

  readonly #release = (command: PendingCommand): void => {
    this.#admission.release(command.tenant)
    if (command.countedFor !== null) command.countedFor.waiting--
    if (command instanceof AtomicCommand) command.releaseMembers()
  }

  #refusal(): AskFailed | null {
    const { journal } = this.#context
    if (!this.isTaking) return notOwner(journal.shard)
    if (journal.stalled) return unavailable('the journal does not answer')
    return journal.confirmed ? null : unavailable('the lease is not confirmed')
  }

  #admit(command: PendingCommand, waitingForActor: number): AskFailed | null {
    const refusal = this.#admission.admit(command.tenant, waitingForActor)
    return refusal === null ? null : overloaded(refusalReasons[refusal])
  }

  /** An append fails only with the loss of the shard; anything else is a defect, after which nothing here can be relied on. */
  #appendFailed(cause: Error): void {
    this.#drop()
    if (cause instanceof ShardLost) return
    this.#context.report('commit', null, cause)
    // The next owner finds the end of the log by itself, so nothing depends on this close.
    void this.#context.journal.close().then(undefined, () => undefined)
  }

  #drop(): void {
    this.#ended.abort()
    const { journal, copies } = this.#context
    const error = notOwner(journal.shard)
    this.#commits.failAll(error)
    this.#residents.dropAll(error)
    // Last: until here a batch that was under way may have been committed, and answered.
    copies?.closed(journal.shard, journal.epoch, journal.lastEpoch)
  }
}
