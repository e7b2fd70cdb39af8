import { owedOf } from '../definition.ts'
import type { Resident } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'
import type { ActorState } from '../state/actor-state.ts'
import { OWED_TIMER, type ShardTimers } from '../timers/shard-timers.ts'

type Deletion = {
  readonly kept: readonly string[]
  /** Whether bodies come to the record later on. */
  readonly others: 'come' | 'never'
}

/**
 * Deletes bodies that a committed state needs no longer. The actor's wake-up stays until that is done, so a crash does
 * not end it, and no event has to record it.
 */
export class BodyDeletions {
  readonly #context: ShardContext
  readonly #timers: ShardTimers

  constructor(context: ShardContext, timers: ShardTimers) {
    this.#context = context
    this.#timers = timers
  }

  /** After a commit, and when a wake-up fires. */
  start(resident: Resident, failures = 0): void {
    const { state, definition } = resident
    if (state === null || state.isLost || resident.isDeletingBodies) return
    const kept = definition.bodiesKept(state.committedState)
    if (kept === null) return
    if (state.bodies.owesDeletion(state.committedState)) {
      resident.isDeletingBodies = true
      resident.pin()
      const others = definition.bodiesCome(state.committedState) ? 'come' : 'never'
      void this.#delete(resident, { kept, others }, failures).finally(() => resident.unpin())
    } else this.#endWakeUp(resident, state)
  }

  /** A body that came after the deletion was for something that did not happen any more. */
  again(resident: Resident): void {
    resident.state?.bodies.deleteAgain()
    this.start(resident)
  }

  async #delete(resident: Resident, { kept, others }: Deletion, failures: number): Promise<void> {
    const { bodies, ended } = this.#context
    const { actor } = resident
    try {
      if (bodies === null) throw new Error('actors with bodies need a store for them')
      if (others === 'never') await bodies.keepOnly(actor, kept)
      else await bodies.deleteOthers(actor, () => this.#keptNow(resident))
      resident.isDeletingBodies = false
      resident.state?.bodies.deletedAllBut(kept)
      // The state may have moved on in the meantime.
      this.start(resident)
    } catch (error) {
      resident.isDeletingBodies = false
      if (ended.aborted) return
      this.#context.report('body', actor, error)
      const dueMs = this.#context.retryAtMs(failures + 1)
      this.#timers.wakeAt({ actor, timerId: OWED_TIMER, dueMs }, dueMs, failures + 1)
    }
  }

  /**
   * Null once another node may serve the shard: the record may name bodies there of which this node has not heard. A process
   * that was stopped for a while learns that it has lost the shard before the store tells it which bodies there are.
   */
  #keptNow({ state, definition }: Resident): readonly string[] | null {
    const isKnown = state !== null && !state.isLost && !this.#context.ended.aborted
    return isKnown ? definition.bodiesKept(state.committedState) : null
  }

  /** While a decision is not committed, the row may still stand for what was owed before it. */
  #endWakeUp({ definition }: Resident, state: ActorState): void {
    const { owedRow } = state
    if (owedRow === null || state.isAhead || state.owesErasure) return
    if (owedOf(definition, state.state).length > 0) return
    this.#timers.rowDone(owedRow)
    state.owedRow = null
  }
}
