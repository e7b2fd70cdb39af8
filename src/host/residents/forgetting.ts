import type { PendingCommand } from '../commands/pending-command.ts'
import type { AnyActorDefinition } from '../definition.ts'
import { unavailable } from '../faults.ts'
import type { LastSnapshot, TimerRow } from '../../ports/journal.ts'
import type { ShardContext } from '../shard-context.ts'
import type { ActorState } from '../state/actor-state.ts'
import { wholeAtMs } from '../state/forget-time.ts'
import { failuresOf, type ShardTimers } from '../timers/shard-timers.ts'
import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import type { Resident } from './resident.ts'

/** What waits for a publisher that is behind. It may stand still for days, and then everything that was over since waits. */
const READERS: Backoff = { firstMs: 30_000, maxMs: 1_800_000 }
/** What waits for a commit, or for the deletion of a key or bodies: a record that is loaded for this deletes its key once more. */
const AT_REST: Backoff = { firstMs: 2_000, maxMs: 300_000 }

export type ForgettingParts = {
  readonly context: ShardContext
  readonly timers: ShardTimers
  /** Takes the state of a record out of memory; its commands wait until it is loaded again. */
  readonly suspend: (resident: Resident) => void
  readonly load: (resident: Resident) => void
}

/** Folds the events of records that are over into their last snapshots, and lets those go whole that mean nothing more. */
export class Forgetting {
  readonly #parts: ForgettingParts

  constructor(parts: ForgettingParts) {
    this.#parts = parts
  }

  /** The wake-up fired; its row stays until it is done. */
  begin(resident: Resident, row: TimerRow, nowMs: number): void {
    const { state } = resident
    if (state === null) return
    state.forgetRow ??= row
    const { goneAtMs } = state
    if (!state.isAtRest) this.#again(row, AT_REST)
    else if (goneAtMs !== null && goneAtMs <= nowMs) void this.#vanish(resident, state, row)
    else if (state.isOver) void this.#fold(resident, state, row)
    else if (goneAtMs !== null) this.#later(state, row, goneAtMs)
  }

  async #fold(resident: Resident, state: ActorState, row: TimerRow): Promise<void> {
    const { timers } = this.#parts
    const { seq, goneAtMs } = state
    resident.pin()
    try {
      if (!(await this.#forget(row, () => state.lastSnapshot()))) {
        state.waitsForReader = true
        return
      }
      // What was decided meanwhile, such as an erasure, found this row and set none of its own.
      if (state.seq !== seq) {
        this.#again(row, READERS, 1)
        return
      }
      if (goneAtMs !== null) {
        this.#later(state, row, goneAtMs)
        return
      }
      timers.rowDone(row)
      state.forgetRow = null
    } finally {
      resident.unpin()
    }
  }

  /** Its key goes first; nothing is decided for it until it is gone, so that what comes then begins from nothing. */
  async #vanish(resident: Resident, { seq, definition }: ActorState, row: TimerRow): Promise<void> {
    const { context, timers, suspend, load } = this.#parts
    suspend(resident)
    try {
      if (definition.keyParent !== null) await context.vault?.erase(resident.actor)
    } catch (error) {
      context.report('key', resident.actor, error)
      this.#again(row)
      load(resident)
      return
    }
    if (await this.#forget(row, () => ({ seq, data: null }))) timers.rowDone(row)
    load(resident)
  }

  /**
   * All of it goes: key, bodies, events. Nothing is decided for it meanwhile, and what comes then finds no record. To be
   * asked for again where it fails; it is harmless to repeat.
   */
  remove(resident: Resident, state: ActorState, command: PendingCommand): void {
    if (state.isAhead) {
      command.fail(unavailable('a decision of the record is being committed'))
      return
    }
    const { suspend, load } = this.#parts
    suspend(resident)
    void this.#remove(resident.actor, resident.definition, state.seq)
      .then(
        () => command.succeed(undefined),
        (error: Error) => command.fail(error),
      )
      .finally(() => load(resident))
  }

  /** The same for a record that cannot be read. */
  async removeUnread(actor: string, definition: AnyActorDefinition): Promise<void> {
    const { snapshot, events } = await this.#parts.context.journal.load(actor)
    await this.#remove(actor, definition, events.at(-1)?.seq ?? snapshot?.seq ?? 0)
  }

  async #remove(actor: string, { keyParent, isCopied }: AnyActorDefinition, seq: number): Promise<void> {
    const { vault, bodies, copies, journal } = this.#parts.context
    if (keyParent !== null) await vault?.erase(actor)
    await bodies?.keepOnly(actor, [])
    if (isCopied) copies?.changed(actor)
    if (isCopied) await copies?.settled(actor)
    if (seq > 0 && !(await journal.forget(actor, { seq, data: null })))
      throw unavailable('a reader of the log has still to pass the record')
  }

  /** Of a record that is not in memory, and owes nothing. Where it fails the row fires again, and has the record read. */
  async forgetDeparted(row: TimerRow, last: LastSnapshot): Promise<void> {
    if (await this.#forget(row, () => last)) this.#parts.timers.rowDone(row)
  }

  /** False where the row is to fire again. */
  async #forget(row: TimerRow, last: () => LastSnapshot): Promise<boolean> {
    const { context } = this.#parts
    try {
      if (await context.journal.forget(row.actor, last())) return true
    } catch (error) {
      if (context.ended.aborted) return false
      context.report('snapshot', row.actor, error)
    }
    this.#again(row)
    return false
  }

  #again(row: TimerRow, backoff = READERS, times = failuresOf(row) + 1): void {
    const { context, timers } = this.#parts
    const { runtime } = context
    timers.wakeAt(row, runtime.now() + Math.round(backoffMs(backoff, times, runtime.random())), times)
  }

  /** Its time to go whole is still to come: its row moves there. */
  #later(state: ActorState, row: TimerRow, goneAtMs: number): void {
    const { context, timers } = this.#parts
    const dueMs = wholeAtMs(state, goneAtMs, context.runtime.now())
    const to = { ...row, dueMs }
    context.journal.timerMoved(row, to).then(
      () => {
        state.forgetRow = to
        timers.add([to])
      },
      () => this.#again(row),
    )
  }
}
