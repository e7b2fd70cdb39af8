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

/** The places of requests that are worked on: so many at once, and no more. */
export class RequestPlaces {
  readonly #metrics: { inFlight: number }
  readonly #max: number
  readonly #taken = new InFlight()

  constructor(metrics: { inFlight: number }, max: number) {
    this.#metrics = metrics
    this.#max = max
    metrics.inFlight = 0
  }

  get areTaken(): boolean {
    return this.#metrics.inFlight >= this.#max
  }

  take(): void {
    this.#metrics.inFlight += 1
    this.#taken.enter()
  }

  free(): void {
    this.#metrics.inFlight -= 1
    this.#taken.leave()
  }

  allFree(): Promise<void> {
    return this.#taken.none()
  }
}
