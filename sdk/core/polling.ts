import type { Clock } from './ports.ts'

export const POLL_EVERY_MS = 10_000

/** Does something again and again, with the same pause after each time, as long as the app is in the foreground. */
export class Polling {
  readonly #clock: Clock
  readonly #work: () => Promise<unknown>
  #callOff: (() => void) | null = null

  constructor(clock: Clock, work: () => Promise<unknown>) {
    this.#clock = clock
    this.#work = work
  }

  start(): void {
    if (this.#callOff === null) this.#later()
  }

  stop(): void {
    this.#callOff?.()
    this.#callOff = null
  }

  #later(): void {
    const callOff = this.#clock.after(POLL_EVERY_MS, () => {
      void this.#work()
        .catch(() => undefined)
        .then(() => {
          if (this.#callOff === callOff) this.#later()
        })
    })
    this.#callOff = callOff
  }
}
