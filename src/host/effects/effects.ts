import type { Effect } from '../../domain/decider.ts'
import type { Eventually } from '../../domain/eventually.ts'
import type { Rest } from '../../domain/rest.ts'
import { owedOf, type EffectGate } from '../definition.ts'
import type { Resident } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'
import { OWED_TIMER, sameRow, type ShardTimers } from '../timers/shard-timers.ts'
import type { FairScheduler } from './fair-scheduler.ts'
import { ComesAgain, EffectNotBegun } from './not-begun.ts'

const tenantOf = ({ definition, state }: Resident): string | null =>
  state === null ? null : definition.tenantOf(state.committedState)

/** The state stopped owing the effect while its run waited for a slot. */
class NoLongerOwed extends EffectNotBegun {}

/** The organisation of the record rests; nothing was begun. */
class OrganisationRests extends EffectNotBegun {}

/** How far an effect is that an actor owes. */
type EffectProgress = {
  is: 'queued' | 'running' | 'postponed'
  failures: number
  retryAtMs: number
}

/** Starts what committed states owe, each effect once at a time, again and again until the state owes it no longer. */
export class Effects {
  readonly #context: ShardContext
  readonly #scheduler: FairScheduler
  readonly #timers: ShardTimers
  /**
   * By actor and id of the effect. It outlasts the actor's stay in memory, so that each reader who loads it again does
   * not begin what is postponed; a wake-up stands for every entry, and clears it at last.
   */
  readonly #progress = new Map<string, Map<string, EffectProgress>>()
  /** Actors with an effect that waits for the others of its actor to end. */
  readonly #heldBack = new Set<string>()

  constructor(context: ShardContext, scheduler: FairScheduler, timers: ShardTimers) {
    this.#context = context
    this.#scheduler = scheduler
    this.#timers = timers
  }

  /** After a commit, after recovery, and when a wake-up fires. */
  start(resident: Resident): void {
    const { actor, definition, state } = resident
    if (state === null || state.isLost || this.#context.ended.aborted) return
    const owed = owedOf(definition, state.committedState)
    const known = this.#progress.get(actor)
    if (owed.length === 0 && known === undefined) return
    const effects = known ?? new Map<string, EffectProgress>()
    this.#progress.set(actor, effects)
    const nowMs = this.#context.runtime.now()
    for (const effect of owed) {
      const progress = effects.get(effect.id) ?? { is: 'postponed', failures: 0, retryAtMs: 0 }
      if (progress.is !== 'postponed' || progress.retryAtMs > nowMs) continue
      if (definition.comesLast(effect) && hasOthersUnderWay(effects, effect)) {
        this.#heldBack.add(actor)
        continue
      }
      effects.set(effect.id, progress)
      this.#beginUnlessResting(resident, effect, progress)
    }
    for (const [id, { is }] of effects) {
      if (is === 'postponed' && !owed.some((effect) => effect.id === id)) this.#forget(actor, id)
    }
  }

  /** The answer is nearly always there at once; where it is not, the effect waits for it like one that is queued. */
  #beginUnlessResting(resident: Resident, effect: Effect, progress: EffectProgress): void {
    const rest = this.#restOf(resident)
    if (!(rest instanceof Promise)) {
      if (rest?.isResting === true) this.#postpone(resident, progress, this.#context.restLookMs())
      else this.#begin(resident, effect, progress)
      return
    }
    progress.is = 'queued'
    resident.pin()
    rest
      .then(
        (found) => {
          if (this.#context.ended.aborted) return
          if (found?.isResting === true) this.#postpone(resident, progress, this.#context.restLookMs())
          else this.#begin(resident, effect, progress)
        },
        (error: unknown) => this.#notDone(resident, effect, progress, error),
      )
      .finally(() => resident.unpin())
  }

  #begin(resident: Resident, effect: Effect, progress: EffectProgress): void {
    const gate = resident.definition.gate?.(effect) ?? this.#newRun(resident, effect)
    progress.is = 'queued'
    resident.pin()
    const againInMs = gate.enter(() => {
      progress.is = 'running'
      void this.#perform(resident, effect, progress, gate).then(() => {
        if (this.#heldBack.delete(resident.actor)) this.start(resident)
        resident.unpin()
      })
    })
    if (againInMs === null) return
    resident.unpin()
    this.#postpone(resident, progress, this.#context.runtime.now() + againInMs)
  }

  /** Actors without an organisation, as the organisations themselves, share the group of their shard. */
  #newRun(resident: Resident, { kind }: Effect): EffectGate {
    const { definition } = resident
    const tenant = tenantOf(resident)
    return this.#scheduler.newRun(
      `${definition.kind} ${kind}`,
      tenant ?? `shard ${this.#context.journal.shard}`,
    )
  }

  /** An effect leaves the gate when its work is done, not when its outcome is committed: a note may wait for its commit. */
  async #perform(
    resident: Resident,
    effect: Effect,
    progress: EffectProgress,
    gate: EffectGate,
  ): Promise<void> {
    const { ended } = this.#context
    const { actor, definition, home } = resident
    let leave = (isDone: boolean): void => {
      leave = () => undefined
      gate.leave(!isDone)
    }
    let isDone = false
    try {
      this.#checkStillDue(resident, effect)
      const rest = this.#restOf(resident)
      // It may have waited for a slot since it was begun.
      if ((rest instanceof Promise ? await rest : rest)?.isResting === true) throw new OrganisationRests()
      const command: unknown = await definition.perform(effect, {
        actor,
        effectId: effect.id,
        signal: ended,
        forward: (recipient) => {
          const slot = gate.forward?.(recipient) ?? null
          return slot?.then(() => this.#checkAgain(resident, effect)) ?? null
        },
      })
      isDone = true
      const told = home.tell(actor, definition, command)
      if (definition.isNote(command)) leave(isDone)
      await told
      if (this.#owes(resident, effect)) throw new Error('the outcome did not settle what was owed')
      this.#forget(actor, effect.id)
    } catch (error) {
      if (!ended.aborted) this.#notDone(resident, effect, progress, error)
    } finally {
      leave(isDone)
    }
  }

  #notDone(resident: Resident, effect: Effect, progress: EffectProgress, error: unknown): void {
    const { actor } = resident
    if (error instanceof NoLongerOwed) {
      this.#forget(actor, effect.id)
      return
    }
    if (error instanceof OrganisationRests) {
      this.#postpone(resident, progress, this.#context.restLookMs())
      return
    }
    if (error instanceof ComesAgain) {
      this.#postpone(resident, progress, this.#context.runtime.now() + error.againInMs)
      return
    }
    progress.failures++
    this.#context.report('effect', actor, error)
    this.#postpone(resident, progress, this.#context.retryAtMs(progress.failures))
  }

  /** A run may have waited for long. */
  #checkStillDue(resident: Resident, effect: Effect): void {
    const { ended, journal } = this.#context
    ended.throwIfAborted()
    if (!this.#owes(resident, effect)) throw new NoLongerOwed()
    if (!journal.confirmed) throw new EffectNotBegun('the lease is not confirmed')
  }

  async #checkAgain(resident: Resident, effect: Effect): Promise<void> {
    this.#checkStillDue(resident, effect)
    if ((await this.#restOf(resident))?.isResting === true) throw new OrganisationRests()
  }

  #restOf(resident: Resident): Eventually<Rest | null> {
    const tenant = tenantOf(resident)
    return tenant === null ? null : this.#context.rests.of(tenant)
  }

  #owes({ state, definition }: Resident, effect: Effect): boolean {
    return state !== null && owedOf(definition, state.committedState).some(({ id }) => id === effect.id)
  }

  /** The row moves too, so that a takeover in the meantime neither forgets the effect nor starts it early. */
  #postpone({ actor, state }: Resident, progress: EffectProgress, dueMs: number): void {
    progress.is = 'postponed'
    progress.retryAtMs = dueMs
    const to = { actor, timerId: OWED_TIMER, dueMs }
    this.#timers.wakeAt(to, dueMs, progress.failures)
    const from = state?.owedRow ?? null
    const effects = this.#progress.get(actor)?.values() ?? []
    const othersAreUnderWay = [...effects].some(({ is }) => is !== 'postponed')
    if (state === null || from === null || othersAreUnderWay || state.owesErasure) return
    this.#context.journal.timerMoved(from, to).then(
      () => {
        if (state.owedRow !== null && sameRow(state.owedRow, from)) state.owedRow = to
      },
      // The row stays where it was: a wake-up that is too early does no harm.
      () => undefined,
    )
  }

  #forget(actor: string, id: string): void {
    const effects = this.#progress.get(actor)
    effects?.delete(id)
    if (effects?.size === 0) this.#progress.delete(actor)
  }
}

const hasOthersUnderWay = (effects: ReadonlyMap<string, EffectProgress>, { id }: Effect): boolean =>
  [...effects].some(([other, { is }]) => other !== id && is !== 'postponed')
