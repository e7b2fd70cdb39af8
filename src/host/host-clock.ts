import type { Runtime } from '../ports/runtime.ts'

/** What is due within this time is done together. */
export const STEP_MS = 50
/** The time of day may be set meanwhile, or the machine be suspended, and what is due by it would be late by as much. */
export const REST_MS_MAX = 1_000

const WOKEN = new Error('something is due sooner')

/** The one clock of a host: it rests until something is due, so that a host that has nothing to do takes next to nothing. */
export class HostClock {
  readonly #runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>
  #nextMs = Number.POSITIVE_INFINITY
  #rest = new AbortController()
  #isStopped = false

  constructor(runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>) {
    this.#runtime = runtime
  }

  /** Something is due in so many milliseconds, which the last step did not know of. */
  wanted(inMs: number): void {
    if (inMs >= REST_MS_MAX) return
    const atMs = this.#runtime.monotonicMs() + Math.max(inMs, STEP_MS)
    if (atMs >= this.#nextMs) return
    this.#nextMs = atMs
    this.#rest.abort(WOKEN)
  }

  /** Each step answers with when the next one is due, on the clock that never goes back. Resolves after `stop`. */
  async run(step: (nowMs: number) => number): Promise<void> {
    let dueMs = this.#runtime.monotonicMs()
    while (!this.#isStopped) {
      const nowMs = this.#runtime.monotonicMs()
      const restMs = Math.min(Math.max(dueMs - nowMs, STEP_MS), REST_MS_MAX)
      this.#nextMs = Math.min(this.#nextMs, nowMs + restMs)
      await this.#restUntilNext()
      if (this.#isStopped) return
      // What is wanted during the step counts for the rest behind it.
      this.#nextMs = Number.POSITIVE_INFINITY
      dueMs = step(this.#runtime.monotonicMs())
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#rest.abort(WOKEN)
  }

  async #restUntilNext(): Promise<void> {
    while (!this.#isStopped) {
      const leftMs = this.#nextMs - this.#runtime.monotonicMs()
      if (leftMs <= 0) return
      this.#rest = new AbortController()
      await this.#runtime.sleep(Math.ceil(leftMs), this.#rest.signal).catch(() => undefined)
    }
  }
}
