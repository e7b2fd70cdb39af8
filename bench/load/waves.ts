/** After this long without another member the wave is as large as it gets. */
const QUIET_MS = 300

/**
 * Lets go of what waits when `size` wait, or when no more come. Holders compute far longer than a service does; without
 * waves their one process would hand it one answer at a time, and it would only ever be measured at that pace.
 */
export class Waves {
  readonly #size: number
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(size: number) {
    this.#size = size
  }

  join(): Promise<void> {
    if (this.#size <= 1) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      clearTimeout(this.#timer)
      if (this.#waiting.length >= this.#size) this.#release()
      else this.#timer = setTimeout(() => this.#release(), QUIET_MS)
    })
  }

  #release(): void {
    const released = this.#waiting
    this.#waiting = []
    for (const resolve of released) resolve()
  }
}
