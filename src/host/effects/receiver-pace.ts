type PaceLimits = {
  /** What may be under way at once to one receiver. */
  readonly atOnceMax: number
  /** The same while the receiver fails every time. */
  readonly atOnceFailingMax: number
  /** Failures in a row after which it counts as failing. */
  readonly failuresMax: number
  /** After which time at the latest what found no place comes again. */
  readonly comeAgainMsMax: number
}

const COME_AGAIN_MS = 5_000
const FIRST_GUESS_MS = 200

/**
 * What one receiver outside may be asked at once: a breaker that leaves a few tries, so that it notices by itself when
 * the receiver is back. What finds no place gets a time to come again, as late as the receiver's own pace suggests: a
 * long backlog asks no more often than it is worked off.
 */
export class ReceiverPace {
  readonly #limits: PaceLimits
  #failures = 0
  #durationMs = FIRST_GUESS_MS
  #promisedMs = 0

  constructor(limits: PaceLimits) {
    this.#limits = limits
  }

  get isFailing(): boolean {
    return this.#failures >= this.#limits.failuresMax
  }

  get atOnce(): number {
    const { atOnceFailingMax, atOnceMax } = this.#limits
    return this.isFailing ? Math.min(atOnceFailingMax, atOnceMax) : atOnceMax
  }

  note(accepted: boolean, durationMs: number): void {
    this.#failures = accepted ? 0 : this.#failures + 1
    this.#durationMs += (durationMs - this.#durationMs) / 8
  }

  comeAgainInMs(nowMs: number): number {
    const nextMs = this.#promisedMs + this.#durationMs / this.atOnce
    const latestMs = nowMs + this.#limits.comeAgainMsMax
    this.#promisedMs = Math.min(latestMs, Math.max(nowMs + COME_AGAIN_MS, nextMs))
    return Math.round(this.#promisedMs - nowMs)
  }
}
