import type { Eventually } from '../../domain/eventually.ts'

/** What an ask is, wherever it is done. */
export type ErrandTask = {
  readonly shard: number
  /** As it goes to another node: the same command id at every try. */
  readonly text: string
  /** The same at this node's own actors. */
  readonly here: (timeoutMs: number) => Eventually<unknown>
  readonly deadlineMs: number
}

/** One ask that is not answered at once by this node's own actors, from its first try to its one answer. */
export class Errand {
  readonly task: ErrandTask
  /** Asks wait, and are let go, in the order in which they came. */
  readonly order: number
  readonly answer: Promise<unknown>
  /** Since when it waits for somebody to serve its shard; null where it never had to. */
  waitsSinceMs: number | null = null
  isSettled = false
  readonly #resolve: (reply: unknown) => void
  readonly #reject: (error: Error) => void

  constructor(task: ErrandTask, order: number) {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.task = task
    this.order = order
    this.answer = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  succeed(reply: unknown): void {
    this.isSettled = true
    this.#resolve(reply)
  }

  fail(error: Error): void {
    this.isSettled = true
    this.#reject(error)
  }
}
