import type { ActorState } from './actor-state.ts'
import { Admission, type AdmissionLimits, refusalReasons } from './admission.ts'
import { Commits } from './commits.ts'
import { DataKeys } from './data-keys.ts'
import type { AnyActorDefinition } from './definition.ts'
import type { EffectSlots } from './effect-slots.ts'
import { Effects } from './effects.ts'
import { notOwner, overloaded, type ReportFault, unavailable } from './faults.ts'
import type { BatchLimits } from './group-commit.ts'
import { type ShardJournal, ShardLost, type TimerRow } from '../ports/journal.ts'
import type { AskFailed } from '../ports/actors.ts'
import type { Residency } from './eviction.ts'
import type { Resident } from './resident.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { ShardContext } from './shard-context.ts'
import { ShardResidents } from './shard-residents.ts'
import { type Fired, ShardTimers, type TimerLimits } from './shard-timers.ts'
import { Whole } from './atomic-command.ts'
import type { TurnEnd } from './end-of-tick.ts'
import type { ActorSystem } from './resident-actor.ts'
import { Turns } from './command-runner.ts'
import type { Vault } from '../ports/vault.ts'
import { answerOf, Work } from './pending-command.ts'

export type ShardLimits = AdmissionLimits & BatchLimits & TimerLimits

export type ShardHostOptions = {
  readonly journal: ShardJournal
  readonly vault: Vault | null
  readonly runtime: Runtime
  readonly report: ReportFault
  readonly limits: ShardLimits
  readonly system: ActorSystem
  readonly turnEnd: TurnEnd
  readonly residency: Residency
  readonly slots: EffectSlots
  readonly definitionOf: (actor: string) => AnyActorDefinition | null
}

const DRAIN_POLL_MS = 10

/** All actors of one shard that this process owns, from opening until it is lost or closed. */
export class ShardHost {
  readonly #options: ShardHostOptions
  readonly #context: ShardContext
  readonly #ended = new AbortController()
  readonly #admission: Admission
  readonly #commits: Commits
  readonly #effects: Effects
  readonly #keys: DataKeys
  readonly #timers: ShardTimers
  readonly #residents: ShardResidents
  #closing = false
  #isOver = false

  constructor(options: ShardHostOptions) {
    const { journal, vault, runtime, report, limits } = options
    this.#options = options
    this.#context = { journal, vault, runtime, report, ended: this.#ended.signal }
    this.#admission = new Admission(limits)
    this.#timers = new ShardTimers(this.#context, limits, (row) => this.#fire(row))
    this.#commits = new Commits(this.#context, limits, options.turnEnd, {
      committed: (pending) => this.#timers.add(pending.entry.timersSet),
      settled: (resident) => this.#settled(resident),
      answer: (resident, work) => this.#answer(resident, work),
      lost: (error) => this.#appendFailed(error),
    })
    const wakeAt = (row: TimerRow, atMs: number, attempts: number): void =>
      this.#timers.wakeAt(row, atMs, attempts)
    this.#effects = new Effects(this.#context, options.slots, {
      outcome: (resident, command) => this.#tell(resident, command),
      wakeAt,
    })
    this.#keys = new DataKeys(this.#context, {
      wakeAt,
      answer: (resident, work) => this.#answer(resident, work),
      rowDone: (row) => this.#timers.rowDone(row),
    })
    const turns = new Turns({
      context: this.#context,
      commits: this.#commits,
      effects: this.#effects,
      keys: this.#keys,
      find: (actor, definition) => this.#residents.find(actor, definition),
      wake: (resident) => this.#residents.wake(resident),
    })
    this.#residents = new ShardResidents({
      context: this.#context,
      supervisor: options.system.supervisor(journal.shard),
      residency: options.residency,
      run: (resident) => turns.run(resident),
      activated: (resident) => this.#settled(resident),
    })
    void journal.lost.then(() => this.#drop())
  }

  get waiting(): number {
    return this.#admission.waiting
  }

  get timersLoaded(): number {
    return this.#timers.loaded
  }

  get isClosing(): boolean {
    return this.#closing
  }

  /** Aborted when the shard is not served here any more. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  resident(actor: string): Resident | undefined {
    return this.#residents.get(actor)
  }

  /** Null when it was taken on; the settling of `work` brings the answer. `known`: the resident, if it is one. */
  submit(
    known: Resident | null,
    actor: string,
    definition: AnyActorDefinition,
    work: Work,
    nowMs: number,
  ): AskFailed | null {
    const refusal = this.#refusal() ?? this.#admit(work, known === null ? 0 : known.waiting)
    if (refusal !== null) return refusal
    const resident = known ?? this.#residents.find(actor, definition)
    if (known !== null) this.#residents.used(known, nowMs)
    resident.waiting++
    work.counted = resident
    work.release = this.#release
    this.#residents.enqueue(resident, work)
    return null
  }

  answerNow(resident: Resident, question: unknown, nowMs: number): { readonly reply: unknown } | null {
    return this.#showNow(resident, nowMs, (cell) => cell.answer(question) ?? undefined) ?? null
  }

  /** A view of an actor that can answer here and now; undefined when the read has to take its turn. */
  readNow(resident: Resident, view: string, nowMs: number): unknown {
    return this.#showNow(resident, nowMs, (cell) => (cell.isAhead ? undefined : cell.read(view)))
  }

  /** Every gate that an answer passes at its end is passed here. */
  #showNow<Shown>(
    resident: Resident,
    nowMs: number,
    show: (cell: ActorState) => Shown | undefined,
  ): Shown | undefined {
    const { cell } = resident
    if (cell === null || !resident.unoccupied || this.#refusal() !== null) return undefined
    if (this.#keys.owesErasure(resident)) return undefined
    try {
      const shown = show(cell)
      if (shown !== undefined) this.#residents.used(resident, nowMs)
      return shown
    } catch {
      // It will throw again in its turn, where supervision sees to it.
      return undefined
    }
  }

  tick(nowMs: number): void {
    if (!this.#closing) this.#timers.tick(nowMs)
  }

  /** Answers what was admitted, as long as that takes no longer than `drainMs`, then lets the shard go. */
  async close(drainMs: number): Promise<void> {
    const { runtime, journal } = this.#options
    this.#closing = true
    const endMs = runtime.monotonicMs() + drainMs
    while (!this.#isDrained() && !this.ended.aborted && runtime.monotonicMs() < endMs)
      await runtime.sleep(DRAIN_POLL_MS)
    this.#end()
    // First the journal, which finishes a batch that is under way; then whoever still waits is told to come again.
    await journal.close()
    this.#drop()
  }

  #end(): void {
    this.#isOver = true
    this.#ended.abort()
  }

  #isDrained(): boolean {
    return this.#admission.waiting === 0 && this.#commits.idle
  }

  readonly #release = (work: Work): void => {
    this.#admission.release(work.tenant)
    if (work.counted !== null) work.counted.waiting--
    if (work instanceof Whole) for (const resident of work.unpin()) this.#residents.leaveIfUnknown(resident)
  }

  #refusal(): AskFailed | null {
    const { journal } = this.#context
    if (this.#closing || this.#isOver) return notOwner(journal.shard)
    if (journal.stalled) return unavailable('the journal does not answer')
    return journal.confirmed ? null : unavailable('the lease is not confirmed')
  }

  #admit(work: Work, waitingForActor: number): AskFailed | null {
    const refusal = this.#admission.admit(work.tenant, waitingForActor)
    return refusal === null ? null : overloaded(refusalReasons[refusal])
  }

  /** Work of the host's own, which is bounded where it begins. */
  #tell(resident: { actor: string; definition: AnyActorDefinition }, command: unknown): Promise<unknown> {
    return this.#enqueue(resident.actor, resident.definition, { command, row: null })
  }

  async #fire(row: TimerRow): Promise<Fired> {
    const definition = this.#options.definitionOf(row.actor)
    if (definition === null) throw new Error(`no definition for ${row.actor}`)
    return (await this.#enqueue(row.actor, definition, { command: null, row })) as Fired
  }

  #enqueue(
    actor: string,
    definition: AnyActorDefinition,
    order: { command: unknown; row: TimerRow | null },
  ): Promise<unknown> {
    if (this.ended.aborted) return Promise.reject(notOwner(this.#context.journal.shard))
    const work = new Work(order.command, null, null, order.row)
    const answer = answerOf(work)
    this.#residents.enqueue(this.#residents.find(actor, definition), work)
    return answer
  }

  /** The last gate: the commit is known, and nobody else can have taken the shard meanwhile. */
  #answer(resident: Resident, work: Work): void {
    if (work.settled) return
    if (!this.#context.journal.confirmed) {
      work.fail(unavailable('the lease is not confirmed'))
      return
    }
    const erasing = this.#erasing(resident, work)
    if (erasing === null) work.succeed(work.reply)
    else this.#keys.erase(erasing, work)
  }

  #erasing(resident: Resident, work: Work): Resident | null {
    if (!(work instanceof Whole)) return this.#keys.owesErasure(resident) ? resident : null
    for (const { actor } of work.parties) {
      const party = this.#residents.get(actor)
      if (party !== undefined && this.#keys.owesErasure(party)) return party
    }
    return null
  }

  #settled(resident: Resident): void {
    try {
      this.#residents.recoverOrLeave(resident)
      this.#effects.start(resident)
      if (this.#keys.owesErasure(resident)) this.#keys.erase(resident, null)
      this.#saveSnapshot(resident)
    } catch (error) {
      const { report, journal } = this.#context
      report({ during: 'effect', actor: resident.actor, shard: journal.shard, error })
    }
  }

  /** Only makes recovery shorter, so nothing waits for it and nothing fails with it. */
  #saveSnapshot(resident: Resident): void {
    const { journal, report } = this.#context
    if (resident.savingSnapshot) return
    const snapshot = resident.cell?.snapshotDue() ?? null
    if (snapshot === null) return
    resident.savingSnapshot = true
    journal
      .saveSnapshot(resident.actor, snapshot)
      .catch((error: unknown) =>
        report({ during: 'snapshot', actor: resident.actor, shard: journal.shard, error }),
      )
      .finally(() => {
        resident.savingSnapshot = false
      })
  }

  /** An append fails only with the loss of the shard; anything else is a defect, after which nothing here can be relied on. */
  #appendFailed(error: Error): void {
    const { report, journal } = this.#context
    this.#drop()
    if (error instanceof ShardLost) return
    report({ during: 'commit', actor: null, shard: journal.shard, error })
    // The next owner finds the end of the log by itself, so nothing depends on this close.
    void this.#context.journal.close().catch(() => undefined)
  }

  #drop(): void {
    this.#end()
    const error = notOwner(this.#context.journal.shard)
    this.#commits.failAll(error)
    this.#residents.dropAll(error)
  }
}
