import type { Runtime } from '../ports/runtime.ts'
import { HOUR_MS } from './place.ts'

/** A day more than what is shown, whose days and hours begin where the caller wants them to. */
const KEPT_HOURS = 91 * 24

export type HoursKeptParts = {
  readonly directory: { readonly forgetHours: (before: number) => Promise<void> }
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>
}

/** Lets the counts of hours go that nobody is shown any more, every hour. */
export class HoursKept implements AsyncDisposable {
  readonly #parts: HoursKeptParts
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>

  constructor(parts: HoursKeptParts) {
    this.#parts = parts
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort(new Error('the directory closes'))
    await this.#running
  }

  async #run(): Promise<void> {
    const { directory, runtime } = this.#parts
    const { signal } = this.#stopped
    while (!signal.aborted) {
      // What cannot be done now is done in an hour.
      await directory.forgetHours(Math.floor(runtime.now() / HOUR_MS) - KEPT_HOURS).catch(() => undefined)
      await runtime.sleep(HOUR_MS, signal).catch(() => undefined)
    }
  }
}
