/** Counts requests in progress, and tells when there are none. */
export class InFlight {
  #count = 0
  #waiting: (() => void)[] = []

  enter(): void {
    this.#count += 1
  }

  leave(): void {
    this.#count -= 1
    if (this.#count > 0) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }

  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
