import { unavailable } from '../faults.ts'
import { type AskOptions, isNotOwner } from '../../ports/actors.ts'
import type { Linked } from '../linked-list.ts'
import type { TimerRow } from '../../ports/journal.ts'

type Resolve = (reply: unknown) => void
type Reject = (error: Error) => void

const nothingToCall = (): void => undefined

/** One command on its way through an actor, from admission to its one answer. */
export class PendingCommand implements Linked<PendingCommand> {
  /** A timer has none: its command is made by the definition when the timer's turn comes and the state still asks for it. */
  readonly command: unknown
  readonly commandId: string | null
  readonly tenant: string | null
  readonly row: TimerRow | null
  /** Held back until everything that it was decided on is committed. */
  reply: unknown = undefined
  isSettled = false
  /** Its commit may come a moment later, together with others: nobody is late by that. */
  mayLinger = false
  /** The command notes what no caller can see and what is done again where the note is lost: its commit may wait for longer. */
  isNote = false
  /** Called once, when the command is answered or sooner: gives its place among the admitted back. */
  release: ((command: PendingCommand) => void) | null = null
  /** The actor whose waiting commands count this one. */
  countedFor: { waiting: number } | null = null
  /** The commands that are given up at the same time as this one. */
  deadline: Set<PendingCommand> | null = null
  /** Its neighbours in the queue of its actor. */
  previous: PendingCommand | null = null
  next: PendingCommand | null = null
  /** Where another node may serve the shard: whom it was for, and what asks again when the shard is lost here. */
  to = ''
  goesOn: ((command: PendingCommand) => Promise<unknown>) | null = null
  /** Its deadline in tenths of a second. */
  dueTenth = 0
  #resolve: Resolve = nothingToCall
  #reject: Reject = nothingToCall

  constructor(command: unknown, commandId: string | null, tenant: string | null, row: TimerRow | null) {
    this.command = command
    this.commandId = commandId
    this.tenant = tenant
    this.row = row
  }

  static of(command: unknown, { commandId, tenant, mayLinger = false }: AskOptions): PendingCommand {
    const pending = new PendingCommand(command, commandId, tenant, null)
    pending.mayLinger = mayLinger
    return pending
  }

  answerTo(resolve: Resolve, reject: Reject): void {
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Only the first answer counts: the deadline may have passed while the command waited. */
  succeed(reply: unknown): void {
    if (this.#settle()) this.#resolve(reply)
  }

  fail(error: Error): void {
    if (!this.#settle()) return
    if (this.goesOn !== null && isNotOwner(error)) this.#resolve(this.goesOn(this))
    else this.#reject(error)
  }

  /** Nothing is left to do for it here, although its answer may still wait. */
  giveBack(): void {
    const { release } = this
    this.release = null
    release?.(this)
  }

  #settle(): boolean {
    if (this.isSettled) return false
    this.isSettled = true
    this.deadline?.delete(this)
    this.giveBack()
    return true
  }
}

/** A question to an actor: it takes its turn behind the commands before it, and changes nothing. */
export class PendingRead extends PendingCommand {
  readonly view: string

  constructor(view: string, tenant: string | null) {
    super(null, null, tenant, null)
    this.view = view
  }
}

/** The record goes whole, with its key and its bodies, whatever state it is in. */
export class PendingRemoval extends PendingCommand {
  constructor() {
    super(null, null, null, null)
  }
}

/** Set while a promise is constructed: one executor for all saves a closure for each command. */
let answered: PendingCommand | null = null
const answerToPromise = (resolve: Resolve, reject: Reject): void => answered?.answerTo(resolve, reject)

/** To be taken before the command is queued anywhere. */
export const answerOf = <Reply>(command: PendingCommand): Promise<Reply> => {
  answered = command
  return new Promise<Reply>(answerToPromise as (resolve: (reply: Reply) => void, reject: Reject) => void)
}

/** How much later than its deadline a command may be given up. */
export const DEADLINE_GRAIN_MS = 100

/** The deadlines of all waiting commands, by tenths of a second: a tick looks at what is due and at nothing else. */
export class Deadlines {
  readonly #dueAt = new Map<number, Set<PendingCommand>>()

  add(command: PendingCommand, deadlineMs: number): void {
    const tenth = Math.ceil(deadlineMs / DEADLINE_GRAIN_MS)
    let due = this.#dueAt.get(tenth)
    if (due === undefined) {
      due = new Set()
      this.#dueAt.set(tenth, due)
    }
    due.add(command)
    command.deadline = due
    command.dueTenth = tenth
  }

  /** The first that somebody still waits for. */
  get nextMs(): number {
    let next = Number.POSITIVE_INFINITY
    for (const [tenth, { size }] of this.#dueAt) {
      if (size === 0) this.#dueAt.delete(tenth)
      else next = Math.min(next, tenth)
    }
    return next * DEADLINE_GRAIN_MS
  }

  giveUpLate(nowMs: number): void {
    const current = Math.floor(nowMs / DEADLINE_GRAIN_MS)
    for (const [tenth, due] of this.#dueAt) {
      if (tenth > current) continue
      this.#dueAt.delete(tenth)
      for (const command of due) command.fail(unavailable('no answer in time'))
    }
  }
}
