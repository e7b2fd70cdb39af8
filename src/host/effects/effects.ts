import type { Effect } from '../../domain/decider.ts'
import { owedOf, type EffectGate } from '../definition.ts'
import type { EffectProgress, Resident } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'
import { OWED_TIMER, sameRow, type ShardTimers } from '../timers/shard-timers.ts'
import { EffectNotBegun, QUEUE_FULL_MS, RecipientBusy, type FairScheduler } from './fair-scheduler.ts'

/** The state stopped owing the effect while its run waited for a slot. */
class NoLongerOwed extends EffectNotBegun {}

/** Starts what committed states owe, each effect once at a time, again and again until the state owes it no longer. */
export class Effects {
  readonly #context: ShardContext
  readonly #scheduler: FairScheduler
  readonly #timers: ShardTimers

  constructor(context: ShardContext, scheduler: FairScheduler, timers: ShardTimers) {
    this.#context = context
    this.#scheduler = scheduler
    this.#timers = timers
  }

  /** After a commit, after recovery, and when a wake-up fires; `failures` is what a wake-up remembers. */
  start(resident: Resident, failures = 0): void {
    const { state } = resident
    if (state === null || state.isLost || this.#context.ended.aborted) return
    const owed = owedOf(resident.definition, state.committedState)
    if (owed.length === 0 && resident.effects === null) return
    resident.effects ??= new Map<string, EffectProgress>()
    const effects = resident.effects
    const nowMs = this.#context.runtime.now()
    for (const effect of owed) {
      const progress = effects.get(effect.id) ?? { is: 'postponed', failures, retryAtMs: 0 }
      if (progress.is === 'postponed' && progress.retryAtMs <= nowMs) this.#begin(resident, effect, progress)
    }
    for (const [id, progress] of effects) {
      if (progress.is === 'postponed' && !owed.some((effect) => effect.id === id)) effects.delete(id)
    }
    if (effects.size === 0) resident.effects = null
  }

  #begin(resident: Resident, effect: Effect, progress: EffectProgress): void {
    const gate = resident.definition.gate?.(effect) ?? this.#newRun(resident, effect)
    resident.effects?.set(effect.id, progress)
    progress.is = 'queued'
    resident.pin()
    const againInMs = gate.enter(() => {
      progress.is = 'running'
      void this.#perform(resident, effect, progress, gate).finally(() => {
        gate.leave()
        resident.unpin()
      })
    })
    if (againInMs === null) return
    resident.unpin()
    this.#postpone(resident, progress, this.#context.runtime.now() + againInMs)
  }

  /** Actors without an organisation, as the organisations themselves, share the group of their shard. */
  #newRun({ definition, state }: Resident, { kind }: Effect): EffectGate {
    const tenant = state === null ? null : definition.tenantOf(state.committedState)
    return this.#scheduler.newRun(
      `${definition.kind} ${kind}`,
      tenant ?? `shard ${this.#context.journal.shard}`,
    )
  }

  async #perform(
    resident: Resident,
    effect: Effect,
    progress: EffectProgress,
    gate: EffectGate,
  ): Promise<void> {
    const { ended, runtime } = this.#context
    const { actor, definition, home } = resident
    try {
      this.#checkStillDue(resident, effect)
      const command: unknown = await definition.perform(effect, {
        actor,
        signal: ended,
        forward: (recipient) => {
          const slot = gate.forward?.(recipient) ?? null
          return slot?.then(() => this.#checkStillDue(resident, effect)) ?? null
        },
      })
      await home.tell(actor, definition, command)
      if (this.#owes(resident, effect)) throw new Error('the outcome did not settle what was owed')
      resident.effects?.delete(effect.id)
    } catch (error) {
      if (ended.aborted) return
      if (error instanceof NoLongerOwed) {
        resident.effects?.delete(effect.id)
        return
      }
      if (error instanceof RecipientBusy) {
        this.#postpone(resident, progress, runtime.now() + QUEUE_FULL_MS)
        return
      }
      progress.failures++
      this.#context.report('effect', actor, error)
      this.#postpone(resident, progress, this.#context.retryAtMs(progress.failures))
    }
  }

  /** A run may have waited for long. */
  #checkStillDue(resident: Resident, effect: Effect): void {
    const { ended, journal } = this.#context
    ended.throwIfAborted()
    if (!this.#owes(resident, effect)) throw new NoLongerOwed()
    if (!journal.confirmed) throw new EffectNotBegun('the lease is not confirmed')
  }

  #owes({ state, definition }: Resident, effect: Effect): boolean {
    return state !== null && owedOf(definition, state.committedState).some(({ id }) => id === effect.id)
  }

  /** The row moves too, so that a takeover in the meantime neither forgets the effect nor starts it early. */
  #postpone({ actor, state, effects }: Resident, progress: EffectProgress, dueMs: number): void {
    progress.is = 'postponed'
    progress.retryAtMs = dueMs
    const to = { actor, timerId: OWED_TIMER, dueMs }
    this.#timers.wakeAt(to, dueMs, progress.failures)
    const from = state?.owedRow ?? null
    const othersAreUnderWay = [...(effects?.values() ?? [])].some(({ is }) => is !== 'postponed')
    if (state === null || from === null || othersAreUnderWay) return
    this.#context.journal.timerMoved(from, to).then(
      () => {
        if (state.owedRow !== null && sameRow(state.owedRow, from)) state.owedRow = to
      },
      // The row stays where it was: a wake-up that is too early does no harm.
      () => undefined,
    )
  }
}
