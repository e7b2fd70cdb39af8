import { InFlight } from '../server/server.ts'

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
