import type { Runtime } from '../actors/runtime-port.ts'
import { StoreFailure } from './store-port.ts'

export type AttemptSettings = {
  readonly attemptTimeoutMs: number
  readonly retryFirstMs: number
  readonly retryMaxMs: number
}

type Pending = { readonly deadlineMs: number; readonly fail: (reason: StoreFailure) => void }

/** Calls of a store under a time limit, and the repetition of those that must succeed in the end. */
export class Attempts {
  readonly #runtime: Runtime
  readonly #settings: AttemptSettings
  readonly #closed: AbortSignal
  /** In order of their deadlines, because all have the same limit. */
  readonly #pending = new Set<Pending>()
  #watching = false

  constructor(runtime: Runtime, settings: AttemptSettings, closed: AbortSignal) {
    this.#runtime = runtime
    this.#settings = settings
    this.#closed = closed
  }

  /** One attempt; a call that does not answer in time has an unknown outcome. */
  once<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const deadlineMs = this.#runtime.monotonicMs() + this.#settings.attemptTimeoutMs
      const pending: Pending = { deadlineMs, fail: reject }
      this.#pending.add(pending)
      call().then(
        (answer) => {
          this.#pending.delete(pending)
          resolve(answer)
        },
        (error: Error) => {
          this.#pending.delete(pending)
          reject(error)
        },
      )
      if (!this.#watching) void this.#watch()
    })
  }

  /**
   * Repeats after every StoreFailure, with capped backoff, until there is an answer or `signal` is aborted (rejects
   * with its reason). `onAway` hears whether the store answers.
   */
  async untilAnswered<Answer>(
    signal: AbortSignal,
    call: () => Promise<Answer>,
    onAway?: (away: boolean) => void,
  ): Promise<Answer> {
    for (let pauseMs = this.#settings.retryFirstMs; ; ) {
      signal.throwIfAborted()
      try {
        const answer = await this.once(call)
        onAway?.(false)
        return answer
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
      }
      onAway?.(true)
      signal.throwIfAborted()
      await this.#runtime.sleep(pauseMs * (0.5 + this.#runtime.random() / 2), signal)
      pauseMs = Math.min(pauseMs * 2, this.#settings.retryMaxMs)
    }
  }

  /** One sleep for all calls: a timer of its own for each would cost more than the call's bookkeeping. */
  async #watch(): Promise<void> {
    this.#watching = true
    try {
      for (let next = this.#oldest(); next !== undefined; next = this.#oldest()) {
        const leftMs = next.deadlineMs - this.#runtime.monotonicMs()
        if (leftMs > 0) {
          await this.#runtime.sleep(leftMs, this.#closed)
          continue
        }
        this.#pending.delete(next)
        next.fail(new StoreFailure('unknown', 'the store did not answer in time'))
      }
    } catch (error) {
      if (!this.#closed.aborted) throw error
    } finally {
      this.#watching = false
    }
  }

  #oldest(): Pending | undefined {
    const [oldest] = this.#pending
    return oldest
  }
}
