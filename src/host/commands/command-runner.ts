import type { CommitQueue } from '../commit/commit-queue.ts'
import type { BodyDeletions } from '../commit/body-deletions.ts'
import type { DataKeys } from '../commit/data-keys.ts'
import type { AnyActorDefinition } from '../definition.ts'
import type { Effects } from '../effects/effects.ts'
import type { Forgetting } from '../residents/forgetting.ts'
import type { Resident } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'
import type { ActorState } from '../state/actor-state.ts'
import type { Handled } from '../state/decision.ts'
import {
  FORGET_TIMER,
  OWED_TIMER,
  failuresOf,
  foundRestOf,
  type ShardTimers,
} from '../timers/shard-timers.ts'
import { restedSince } from '../../domain/rest.ts'
import type { TimerRow } from '../../ports/journal.ts'
import { AtomicCommand } from './atomic-command.ts'
import { PendingRead, PendingRemoval, type PendingCommand } from './pending-command.ts'

/** Commands that an actor takes before its neighbours run. */
const COMMANDS_PER_RUN_MAX = 64

/** The actors of the shard, as far as commands need them. */
export type Residents = {
  /** `begins`: nothing of it can be in the journal. */
  find(actor: string, definition: AnyActorDefinition, begins?: boolean): Resident
  wake(resident: Resident): void
  /** Its commands wait meanwhile. */
  loadAgain(resident: Resident): void
  waitForKey(resident: Resident, command: unknown, pending: PendingCommand): void
}

export type RunnerParts = {
  readonly context: ShardContext
  readonly residents: Residents
  readonly commits: CommitQueue
  readonly effects: Effects
  readonly keys: DataKeys
  readonly deletions: BodyDeletions
  readonly forgetting: Forgetting
  readonly timers: ShardTimers
}

const NOTHING: Handled = { is: 'decided', reply: undefined, entry: null }

/** The outcome of an effect: where it changes nothing, a body that was kept for it is not wanted. */
const isOutcome = (command: PendingCommand): boolean =>
  command.commandId === null && command.row === null && !(command instanceof PendingRead)

/** Decides the commands of a resident one after the other, each on what the ones before it decided. */
export class CommandRunner {
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** A throw is a bug in the kind of actor: nothing of the command is kept, and the supervisor answers for the actor. */
  run(resident: Resident): void {
    const { commands, state } = resident
    if (state?.isOutdated === true) {
      this.#parts.residents.loadAgain(resident)
      return
    }
    for (let done = 0; resident.phase === 'active' && done < COMMANDS_PER_RUN_MAX; done++) {
      const command = commands.shift()
      if (command === null) return
      if (command.isSettled) continue
      resident.current = command
      if (command instanceof AtomicCommand) this.#runAtomic(command)
      else if (resident.state !== null) this.#run(resident, resident.state, command)
      resident.current = null
    }
    if (commands.first !== null) this.#parts.residents.wake(resident)
  }

  #run(resident: Resident, state: ActorState, command: PendingCommand): void {
    const { commits, residents, deletions, forgetting } = this.#parts
    if (command instanceof PendingRemoval) {
      // A record is not removed while a note of the record waits for its commit.
      commits.hurry(resident)
      forgetting.remove(resident, state, command)
      return
    }
    const handled = this.#decide(resident, state, command)
    if (handled.is === 'needs-key') {
      residents.waitForKey(resident, command.command, command)
      return
    }
    if (command.row === null) command.reply = handled.reply
    if (handled.entry === null) {
      commits.answerAfter([resident], command)
      if (isOutcome(command)) deletions.again(resident)
    } else commits.add([{ resident, entry: handled.entry }], command)
  }

  #decide(resident: Resident, state: ActorState, command: PendingCommand): Handled {
    if (command instanceof PendingRead) return { is: 'decided', reply: state.read(command.view), entry: null }
    const nowMs = this.#parts.context.runtime.now()
    const { row } = command
    if (row === null) return state.handle(command.command, command.commandId, nowMs)
    command.reply = 'done'
    if (row.timerId === OWED_TIMER && state.owedRow === null) state.bodies.deleteAgain()
    if (!state.asksFor(row)) {
      if (row.timerId === FORGET_TIMER) state.forgetRow = null
      return NOTHING
    }
    if (row.timerId === FORGET_TIMER) {
      command.reply = 'kept'
      this.#parts.forgetting.begin(resident, row, nowMs)
      return NOTHING
    }
    if (row.timerId !== OWED_TIMER) {
      if (this.#rests(resident, state, row, nowMs)) {
        command.reply = 'kept'
        return NOTHING
      }
      const handled = state.decide(resident.definition.onTimer(row.timerId, nowMs), null, nowMs)
      if (state.asksFor(row)) command.reply = 'unsettled'
      return handled
    }
    command.reply = 'kept'
    state.owedRow ??= row
    const { effects, keys, deletions } = this.#parts
    effects.start(resident)
    if (keys.owesErasure(resident)) keys.erase(resident, null, failuresOf(row))
    deletions.start(resident, failuresOf(row))
    return NOTHING
  }

  /** True where the time of the timer has not come, because its organisation rests or has rested; it fires again then. */
  #rests({ definition, actor }: Resident, { state }: ActorState, row: TimerRow, nowMs: number): boolean {
    const { context, timers } = this.#parts
    const tenant = definition.tenantOf(state)
    const found = foundRestOf(row)
    const rest = tenant === null ? null : found === undefined ? context.rests.of(tenant) : found
    if (rest === null) return false
    const again = (atMs: number): void => timers.wakeAt(row, atMs, failuresOf(row))
    if (rest instanceof Promise) {
      const failed = (error: unknown): void => {
        context.report('timer', actor, error)
        timers.wakeAt(row, context.retryAtMs(failuresOf(row) + 1), failuresOf(row) + 1)
      }
      rest.then((brought) => timers.wakeWith(row, brought, nowMs), failed)
      return true
    }
    const sinceMs = definition.waitsSince(state, row.timerId)
    const dueMs = sinceMs === null ? row.dueMs : row.dueMs + restedSince(rest, sinceMs)
    if (!rest.isResting && dueMs <= nowMs) return false
    again(rest.isResting ? context.restLookMs() : dueMs)
    return true
  }

  #runAtomic(command: AtomicCommand): void {
    const { residents, commits, context } = this.#parts
    const find = residents.find.bind(residents)
    const outcome = command.decide(find, context.runtime.now())
    if (outcome.is === 'decided') {
      command.reply = outcome.reply
      if (outcome.entries.length > 0) commits.add(outcome.entries, command)
      else commits.answerAfter(command.residents, command)
    } else if (outcome.is === 'needs-key') residents.waitForKey(outcome.resident, outcome.command, command)
    else outcome.resident.commands.push(command)
  }
}
