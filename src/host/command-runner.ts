import type { ActorState, Handled } from './actor-state.ts'
import type { Commits } from './commits.ts'
import type { DataKeys } from './data-keys.ts'
import type { AnyActorDefinition } from './definition.ts'
import type { Effects } from './effects.ts'
import { failureOf, notOwner } from './faults.ts'
import type { Resident } from './resident.ts'
import type { ShardContext } from './shard-context.ts'
import { attemptsOf } from './shard-timers.ts'
import { OWED_TIMER } from './timer-rows.ts'
import { runWhole, Whole } from './atomic-command.ts'
import { PendingRead, type Work } from './pending-command.ts'

/** Commands that one actor works off before its neighbours have their turn. */
const TURN_MAX = 64

export type TurnParts = {
  readonly context: ShardContext
  readonly commits: Commits
  readonly effects: Effects
  readonly keys: DataKeys
  readonly find: (actor: string, definition: AnyActorDefinition) => Resident
  readonly wake: (resident: Resident) => void
}

const NOTHING: Handled = { is: 'decided', reply: undefined, entry: null }

/** The commands of a resident, one after the other, each decided on what the ones before it decided. */
export class Turns {
  readonly #parts: TurnParts

  constructor(parts: TurnParts) {
    this.#parts = parts
  }

  /** A throw is a bug in the actor's code: nothing of the command was kept, the mailbox stops, its supervision answers. */
  run(resident: Resident): void {
    const { queue } = resident
    for (let done = 0; resident.phase === 'active' && done < TURN_MAX; done++) {
      const work = queue.shift()
      if (work === null) return
      if (work.settled) continue
      resident.current = work
      if (work instanceof Whole) this.#handleWhole(work)
      else this.#handle(resident, work)
      resident.current = null
    }
    if (!queue.isEmpty) this.#parts.wake(resident)
  }

  #handle(resident: Resident, work: Work): void {
    const { commits } = this.#parts
    if (resident.cell === null) return
    const handled = this.#decide(resident, resident.cell, work)
    if (handled.is === 'needs-key') {
      this.#makeKey(resident, work.command, work)
      return
    }
    if (work.row === null) work.reply = handled.reply
    if (handled.entry === null) commits.answerAfter([resident], work)
    else commits.add(resident, handled.entry, work)
  }

  #decide(resident: Resident, cell: ActorState, work: Work): Handled {
    const nowMs = this.#parts.context.runtime.now()
    const { row } = work
    if (work instanceof PendingRead) return { is: 'decided', reply: cell.read(work.view), entry: null }
    if (row === null) return cell.handle(work.command, work.commandId, nowMs)
    work.reply = 'done'
    if (!cell.asksFor(row)) return NOTHING
    if (row.timerId !== OWED_TIMER) {
      const handled = cell.decide(resident.definition.onTimer(row.timerId, nowMs), null, nowMs)
      if (cell.asksFor(row)) work.reply = 'unsettled'
      return handled
    }
    work.reply = 'kept'
    cell.owedRow ??= row
    this.#parts.effects.start(resident, attemptsOf(row))
    if (this.#parts.keys.owesErasure(resident)) this.#parts.keys.erase(resident, null, attemptsOf(row))
    return NOTHING
  }

  #handleWhole(whole: Whole): void {
    const { find, commits, context } = this.#parts
    const outcome = runWhole(whole, find, commits, context.runtime)
    if (outcome.is === 'wait') outcome.resident.queue.push(whole)
    else if (outcome.is === 'needs-key') this.#makeKey(outcome.resident, outcome.command, whole)
  }

  /** The command comes first again when the key is there: until then the actor decides nothing. */
  #makeKey(resident: Resident, command: unknown, work: Work): void {
    resident.phase = 'keying'
    this.#parts.keys.create(resident, command).then(
      () => this.#goOn(resident, work),
      (error: unknown) => {
        work.fail(failureOf(resident.actor, error))
        this.#goOn(resident, null)
      },
    )
  }

  #goOn(resident: Resident, work: Work | null): void {
    if (resident.phase !== 'keying') {
      work?.fail(notOwner(this.#parts.context.journal.shard))
      return
    }
    if (work !== null) resident.queue.unshift(work)
    resident.phase = 'active'
    this.#parts.wake(resident)
  }
}
