import type { Runtime } from '../ports/runtime.ts'
import { StoreFailure } from './store-port.ts'

export type AttemptSettings = {
  readonly attemptTimeoutMs: number
  readonly retryFirstMs: number
  readonly retryMaxMs: number
}

type OnAway = (away: boolean) => void

/** A call whose answer is awaited; linked through itself, so that waiting for it makes nothing up. */
abstract class Awaited {
  deadlineMs = 0
  earlier: Awaited | null = null
  later: Awaited | null = null

  abstract timedOut(failure: StoreFailure): void
}

class AwaitedOnce extends Awaited {
  readonly timedOut: (failure: StoreFailure) => void

  constructor(timedOut: (failure: StoreFailure) => void) {
    super()
    this.timedOut = timedOut
  }
}

/** Calls of a store under a time limit, and the repetition of those that must succeed in the end. */
export class Attempts {
  readonly #runtime: Runtime
  readonly #settings: AttemptSettings
  readonly #closed: AbortSignal
  /** In order of their deadlines, because all have the same limit. */
  #oldest: Awaited | null = null
  #newest: Awaited | null = null
  #watching = false

  constructor(runtime: Runtime, settings: AttemptSettings, closed: AbortSignal) {
    this.#runtime = runtime
    this.#settings = settings
    this.#closed = closed
  }

  /** One attempt; a call that does not answer in time has an unknown outcome. */
  once<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const awaited = new AwaitedOnce(reject)
      this.begin(awaited)
      call().then(
        (answer) => {
          this.end(awaited)
          resolve(answer)
        },
        (error: Error) => {
          this.end(awaited)
          reject(error)
        },
      )
    })
  }

  /**
   * Repeats after every StoreFailure, with capped backoff, until there is an answer or `signal` is aborted (rejects
   * with its reason). `onAway` hears whether the store answers.
   */
  async untilAnswered<Answer>(
    signal: AbortSignal,
    call: () => Promise<Answer>,
    onAway?: OnAway,
  ): Promise<Answer> {
    signal.throwIfAborted()
    try {
      const answer = await this.once(call)
      onAway?.(false)
      return answer
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
    }
    return this.repeat(signal, call, onAway)
  }

  /** The same after an attempt that has failed already. */
  async repeat<Answer>(signal: AbortSignal, call: () => Promise<Answer>, onAway?: OnAway): Promise<Answer> {
    for (let pauseMs = this.#settings.retryFirstMs; ; ) {
      onAway?.(true)
      signal.throwIfAborted()
      await this.#runtime.sleep(pauseMs * (0.5 + this.#runtime.random() / 2), signal)
      pauseMs = Math.min(pauseMs * 2, this.#settings.retryMaxMs)
      signal.throwIfAborted()
      try {
        const answer = await this.once(call)
        onAway?.(false)
        return answer
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
      }
    }
  }

  begin(awaited: Awaited): void {
    awaited.deadlineMs = this.#runtime.monotonicMs() + this.#settings.attemptTimeoutMs
    awaited.earlier = this.#newest
    if (this.#newest === null) this.#oldest = awaited
    else this.#newest.later = awaited
    this.#newest = awaited
    if (!this.#watching) void this.#watch()
  }

  end(awaited: Awaited): void {
    if (awaited.earlier !== null) awaited.earlier.later = awaited.later
    else if (this.#oldest === awaited) this.#oldest = awaited.later
    // Taken out already when its time was up.
    else return
    if (awaited.later === null) this.#newest = awaited.earlier
    else awaited.later.earlier = awaited.earlier
    awaited.earlier = null
    awaited.later = null
  }

  /** One sleep for all calls: a timer of its own for each would cost more than the call's bookkeeping. */
  async #watch(): Promise<void> {
    this.#watching = true
    try {
      for (let oldest = this.#oldest; oldest !== null; oldest = this.#oldest) {
        const leftMs = oldest.deadlineMs - this.#runtime.monotonicMs()
        if (leftMs > 0) {
          await this.#runtime.sleep(leftMs, this.#closed)
          continue
        }
        this.end(oldest)
        oldest.timedOut(new StoreFailure('unknown', 'the store did not answer in time'))
      }
    } catch (error) {
      if (!this.#closed.aborted) throw error
    } finally {
      this.#watching = false
    }
  }
}

/**
 * One call after the other, whose answers go to the same two functions: nothing is made up for a call but the promise
 * of its own. After a call that took too long it is spent, because the answer may still come.
 */
export class SteadyAttempt<Answer> extends Awaited {
  isSpent = false
  readonly #attempts: Attempts
  readonly #answered: (answer: Answer) => void
  readonly #failed: (error: Error) => void

  constructor(attempts: Attempts, answered: (answer: Answer) => void, failed: (error: Error) => void) {
    super()
    this.#attempts = attempts
    this.#answered = answered
    this.#failed = failed
  }

  /** One at a time. Neither function may throw. */
  await(answer: Promise<Answer>): void {
    this.#attempts.begin(this)
    void answer.then(this.#onAnswer, this.#onFailure)
  }

  override timedOut(failure: StoreFailure): void {
    this.isSpent = true
    this.#failed(failure)
  }

  readonly #onAnswer = (answer: Answer): void => {
    if (this.isSpent) return
    this.#attempts.end(this)
    this.#answered(answer)
  }

  readonly #onFailure = (error: Error): void => {
    if (this.isSpent) return
    this.#attempts.end(this)
    this.#failed(error)
  }
}
