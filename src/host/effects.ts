import type { Effect } from '../domain/decider.ts'
import { backoffMs } from './backoff.ts'
import { type EffectGate, owedOf } from './definition.ts'
import { CROWDED_MS, type EffectSlots, HeldBack, RecipientCrowded } from './effect-slots.ts'
import type { TimerRow } from '../ports/journal.ts'
import type { EffectRun, Resident } from './resident.ts'
import type { ShardContext } from './shard-context.ts'
import { OWED_TIMER, sameRow } from './timer-rows.ts'

export type EffectListener = {
  /** Resolves when the outcome is committed. */
  outcome(resident: Resident, command: unknown): Promise<unknown>
  /** Wakes the actor then, also when it has left memory by that time. */
  wakeAt(row: TimerRow, atMs: number, attempts: number): void
}

/** What was owed when the run stood in line is owed no longer. */
class Overtaken extends HeldBack {}

/** Starts what committed states owe, each effect once at a time, again and again until the state owes it no longer. */
export class Effects {
  readonly #context: ShardContext
  readonly #slots: EffectSlots
  readonly #listener: EffectListener

  constructor(context: ShardContext, slots: EffectSlots, listener: EffectListener) {
    this.#context = context
    this.#slots = slots
    this.#listener = listener
  }

  /** After a commit, after recovery, and when a wake-up fires; `attempts` is what a wake-up remembers of a failure. */
  start(resident: Resident, attempts = 0): void {
    const { cell } = resident
    if (cell === null || this.#context.ended.aborted) return
    const owed = owedOf(resident.definition, cell.committedState)
    if (owed.length === 0 && resident.effects === null) return
    resident.effects ??= new Map<string, EffectRun>()
    const runs = resident.effects
    const nowMs = this.#context.runtime.now()
    for (const effect of owed) {
      const run: EffectRun = runs.get(effect.id) ?? { state: 'failed', attempts, retryAtMs: 0 }
      if (run.state === 'failed' && run.retryAtMs <= nowMs) this.#begin(resident, effect, run)
    }
    for (const [id, run] of runs) {
      if (run.state === 'failed' && !owed.some((effect) => effect.id === id)) runs.delete(id)
    }
    if (runs.size === 0) resident.effects = null
  }

  #begin(resident: Resident, effect: Effect, run: EffectRun): void {
    const { definition } = resident
    const gate = definition.gate?.(effect) ?? this.#turnOf(resident, effect)
    resident.effects?.set(effect.id, run)
    run.state = 'queued'
    resident.pins++
    const againInMs = gate.enter(() => {
      run.state = 'running'
      void this.#perform(resident, effect, run, gate).finally(() => {
        gate.leave()
        resident.pins--
      })
    })
    if (againInMs === null) return
    resident.pins--
    this.#postpone(resident, run, againInMs)
  }

  /** Whoever has no organisation, as the organisations themselves, stands in line with the others of its shard. */
  #turnOf({ definition, cell }: Resident, { kind }: Effect): EffectGate {
    const tenant = cell === null ? null : definition.tenantOf(cell.committedState)
    const lane = tenant ?? `shard ${this.#context.journal.shard}`
    return this.#slots.turn(`${definition.kind} ${kind}`, lane)
  }

  async #perform(resident: Resident, effect: Effect, run: EffectRun, gate: EffectGate): Promise<void> {
    const { ended, runtime, report, journal } = this.#context
    try {
      this.#checkStillDue(resident, effect)
      const command: unknown = await resident.definition.perform(effect, {
        actor: resident.actor,
        signal: ended,
        forward: (recipient) => {
          const turn = gate.forward?.(recipient) ?? null
          return turn?.then(() => this.#checkStillDue(resident, effect)) ?? null
        },
      })
      await this.#listener.outcome(resident, command)
      if (this.#owes(resident, effect)) throw new Error('the outcome did not settle what was owed')
      resident.effects?.delete(effect.id)
    } catch (error) {
      if (ended.aborted) return
      if (error instanceof Overtaken) {
        resident.effects?.delete(effect.id)
        return
      }
      if (error instanceof RecipientCrowded) {
        this.#postpone(resident, run, CROWDED_MS)
        return
      }
      run.attempts++
      report({ during: 'effect', actor: resident.actor, shard: journal.shard, error })
      this.#postpone(resident, run, backoffMs(run.attempts, runtime))
    }
  }

  /** A run may have waited for long. */
  #checkStillDue(resident: Resident, effect: Effect): void {
    const { ended, journal } = this.#context
    ended.throwIfAborted()
    if (!this.#owes(resident, effect)) throw new Overtaken()
    if (!journal.confirmed) throw new HeldBack('the lease is not confirmed')
  }

  #owes(resident: Resident, effect: Effect): boolean {
    if (resident.cell === null) return false
    const owed = owedOf(resident.definition, resident.cell.committedState)
    return owed.some(({ id }) => id === effect.id)
  }

  /** The row moves too, so that a takeover in the meantime neither forgets the effect nor starts it early. */
  #postpone(resident: Resident, run: EffectRun, delayMs: number): void {
    const { cell } = resident
    const dueMs = this.#context.runtime.now() + delayMs
    run.state = 'failed'
    run.retryAtMs = dueMs
    const to = { actor: resident.actor, timerId: OWED_TIMER, dueMs }
    this.#listener.wakeAt(to, dueMs, run.attempts)
    const from = cell?.owedRow ?? null
    if (cell === null || from === null || this.#othersAreUnderWay(resident)) return
    this.#context.journal.timerMoved(from, to).then(
      () => {
        if (cell.owedRow !== null && sameRow(cell.owedRow, from)) cell.owedRow = to
      },
      // The row stays where it was: a wake-up that is too early does no harm.
      () => undefined,
    )
  }

  #othersAreUnderWay(resident: Resident): boolean {
    if (resident.effects === null) return false
    for (const run of resident.effects.values()) if (run.state !== 'failed') return true
    return false
  }
}
