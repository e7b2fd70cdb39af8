import type { TimerRow } from './journal-port.ts'

export type Settle = {
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: Error) => void
}

export type WorkOrder = {
  /** A timer's command is made by the definition when its turn has come and the state still asks for it. */
  readonly command: unknown
  readonly commandId: string | null
  readonly tenant: string | null
  readonly row: TimerRow | null
}

/** One command on its way through an actor, from admission to its one answer. */
export class Work {
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
  /** Neighbours in the list of those with about the same deadline. */
  earlier: Work | null = null
  later: Work | null = null
  deadlines: { unlink(work: Work): void } | null = null
  readonly #settle: Settle

  constructor({ command, commandId, tenant, row }: WorkOrder, settle: Settle) {
    this.command = command
    this.commandId = commandId
    this.tenant = tenant
    this.row = row
    this.#settle = settle
  }

  /** Only the first answer counts: the deadline may have passed while the command waited. */
  succeed(reply: unknown): void {
    if (this.#finish()) this.#settle.resolve(reply)
  }

  fail(error: Error): void {
    if (this.#finish()) this.#settle.reject(error)
  }

  #finish(): boolean {
    if (this.settled) return false
    this.settled = true
    this.deadlines?.unlink(this)
    this.release?.(this)
    return true
  }
}
