import type { TimerRow } from '../ports/journal.ts'

type Resolve = (reply: unknown) => void
type Reject = (error: Error) => void

const nobody = (): void => undefined

/** One command on its way through an actor, from admission to its one answer. */
export class Work {
  /** A timer's command is made by the definition when its turn has come and the state still asks for it. */
  readonly command: unknown
  readonly commandId: string | null
  readonly tenant: string | null
  readonly row: TimerRow | null
  /** Held back until everything it was decided on is committed. */
  reply: unknown = undefined
  settled = false
  /** Gives its place in the queues back. */
  release: ((work: Work) => void) | null = null
  /** Whose queue it counts in. */
  counted: { waiting: number } | null = null
  /** Behind it in the queue of its actor. */
  next: Work | null = null
  /** Neighbours in the list of those with about the same deadline. */
  earlier: Work | null = null
  later: Work | null = null
  deadlines: { unlink(work: Work): void } | null = null
  #resolve: Resolve = nobody
  #reject: Reject = nobody

  constructor(command: unknown, commandId: string | null, tenant: string | null, row: TimerRow | null) {
    this.command = command
    this.commandId = commandId
    this.tenant = tenant
    this.row = row
  }

  answerTo(resolve: Resolve, reject: Reject): void {
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Only the first answer counts: the deadline may have passed while the command waited. */
  succeed(reply: unknown): void {
    if (this.#finish()) this.#resolve(reply)
  }

  fail(error: Error): void {
    if (this.#finish()) this.#reject(error)
  }

  #finish(): boolean {
    if (this.settled) return false
    this.settled = true
    this.deadlines?.unlink(this)
    this.release?.(this)
    return true
  }
}

/** A question to an actor: it takes its turn behind the commands before it, and changes nothing. */
export class PendingRead extends Work {
  readonly view: string

  constructor(view: string, tenant: string | null) {
    super(null, null, tenant, null)
    this.view = view
  }
}

/** Whose promise is being made; a function that is made for each would cost as much as the promise. */
let answered: Work | null = null
const answerToPromise = (resolve: Resolve, reject: Reject): void => answered?.answerTo(resolve, reject)

/** To be taken before the work is given to anybody. */
export const answerOf = <Reply>(work: Work): Promise<Reply> => {
  answered = work
  return new Promise<Reply>(answerToPromise as (resolve: (reply: Reply) => void, reject: Reject) => void)
}
