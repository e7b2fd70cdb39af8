import type { Clock } from './ports.ts'

export const POLL_EVERY_MS = 10_000

/** Does something at once and then again and again, with the same pause after each time, until it is stopped. */
export class Polling {
  readonly #clock: Clock
  readonly #work: () => Promise<unknown>
  #callOff: (() => void) | null = null

  constructor(clock: Clock, work: () => Promise<unknown>) {
    this.#clock = clock
    this.#work = work
  }

  start(): void {
    if (this.#callOff === null) this.#after(0)
  }

  stop(): void {
    this.#callOff?.()
    this.#callOff = null
  }

  #after(ms: number): void {
    const callOff = this.#clock.after(ms, () => {
      void this.#work()
        .catch(() => undefined)
        .then(() => {
          if (this.#callOff === callOff) this.#after(POLL_EVERY_MS)
        })
    })
    this.#callOff = callOff
  }
}
