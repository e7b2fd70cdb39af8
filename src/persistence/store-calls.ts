import type { Runtime } from '../ports/runtime.ts'
import { backoffMs } from '../timing/backoff.ts'
import type { ShardLogSettings } from './shard-log-settings.ts'
import { StoreFailure, type AppendOutcome, type JournalStore, type LogSlot } from './store-port.ts'

type StoreCallSettings = Pick<ShardLogSettings, 'attemptTimeoutMs' | 'retryFirstMs' | 'retryMaxMs'>
type PendingCall = { deadlineMs: number; timedOut(failure: StoreFailure): void }

/** Calls to a store, each under a time limit, and the repetition of those that must succeed in the end. */
export class StoreCalls {
  readonly #runtime: Runtime
  readonly #settings: StoreCallSettings
  readonly #closed: AbortSignal
  /** In the order of their deadlines, because all calls have the same time limit. */
  readonly #pending = new Set<PendingCall>()
  #watching = false

  constructor(runtime: Runtime, settings: StoreCallSettings, closed: AbortSignal) {
    this.#runtime = runtime
    this.#settings = settings
    this.#closed = closed
  }

  /** One attempt; a call that does not answer in time has an unknown outcome. */
  once<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const pending: PendingCall = { deadlineMs: 0, timedOut: reject }
      this.begin(pending)
      call().then(
        (answer) => {
          this.end(pending)
          resolve(answer)
        },
        (error: Error) => {
          this.end(pending)
          reject(error)
        },
      )
    })
  }

  /**
   * Repeats after every StoreFailure, with capped backoff, until there is an answer or `signal` is aborted (rejects
   * with its reason).
   */
  async untilAnswered<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
    signal.throwIfAborted()
    try {
      return await this.once(call)
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
    }
    return this.repeat(signal, call)
  }

  /** The same after an attempt that has failed already. */
  async repeat<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
    const { retryFirstMs: firstMs, retryMaxMs: maxMs } = this.#settings
    for (let failures = 1; ; failures++) {
      signal.throwIfAborted()
      await this.#runtime.sleep(backoffMs({ firstMs, maxMs }, failures, this.#runtime.random()), signal)
      signal.throwIfAborted()
      try {
        return await this.once(call)
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
      }
    }
  }

  begin(pending: PendingCall): void {
    pending.deadlineMs = this.#runtime.monotonicMs() + this.#settings.attemptTimeoutMs
    this.#pending.add(pending)
    if (!this.#watching) void this.#watch()
  }

  end(pending: PendingCall): void {
    this.#pending.delete(pending)
  }

  /** One sleep for all calls: a timer for each would cost more than everything else that is done for the call. */
  async #watch(): Promise<void> {
    this.#watching = true
    try {
      for (let [oldest] = this.#pending; oldest !== undefined; [oldest] = this.#pending) {
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
 * A call that is made again and again, one at a time, and whose answers always go to the same two functions: so the
 * only thing allocated for each repetition is the promise of the store. After a timeout the object is spent, because
 * the answer may still come.
 */
export class RepeatedCall<Answer> implements PendingCall {
  deadlineMs = 0
  isSpent = false
  readonly #calls: StoreCalls
  readonly #answered: (answer: Answer) => void
  readonly #failed: (error: Error) => void

  constructor(calls: StoreCalls, answered: (answer: Answer) => void, failed: (error: Error) => void) {
    this.#calls = calls
    this.#answered = answered
    this.#failed = failed
  }

  /** Neither of the two functions may throw. */
  await(answer: Promise<Answer>): void {
    this.#calls.begin(this)
    void answer.then(this.#onAnswer, this.#onFailure)
  }

  timedOut(failure: StoreFailure): void {
    this.isSpent = true
    this.#failed(failure)
  }

  readonly #onAnswer = (answer: Answer): void => {
    if (this.isSpent) return
    this.#calls.end(this)
    this.#answered(answer)
  }

  readonly #onFailure = (error: Error): void => {
    if (this.isSpent) return
    this.#calls.end(this)
    this.#failed(error)
  }
}

/** The session that owns the epoch of a slot; '' when the shard was handed back and has no owner. */
export const ownerOf = (batchId: string): string => batchId.slice(0, batchId.lastIndexOf('/'))
export const batchIdOf = (owner: string, unique: string): string => `${owner}/${unique}`

export type Settled = 'ours' | 'theirs' | 'retired'

/**
 * Repeats the conditional insert in the same slot with the same batch id until the occupant is known, because an
 * attempt whose answer was lost may have been applied, or may still be.
 */
export const settleSlot = async (
  store: JournalStore,
  calls: StoreCalls,
  slot: LogSlot,
  signal: AbortSignal,
): Promise<Settled> => settledAs(slot, await calls.untilAnswered(signal, () => store.append(slot)))

export const settledAs = (slot: LogSlot, outcome: AppendOutcome): Settled => {
  switch (outcome.is) {
    case 'written':
      return 'ours'
    case 'occupied':
      return outcome.batchId === slot.batchId && outcome.epoch === slot.epoch ? 'ours' : 'theirs'
    case 'retired':
      return 'retired'
  }
}
