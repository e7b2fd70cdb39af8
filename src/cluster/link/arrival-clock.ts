/** Long beside every stall that a connection survives, short beside the drift of two clocks. */
const WINDOW_MS = 30_000

/**
 * How long batches were under way, beyond the shortest way that any of them took lately. The clocks of two nodes cannot
 * be compared, but how far they are apart hardly changes: a batch that comes later than others was held up by so much,
 * in a queue, in a network, or by a process that was frozen. Clocks drift, so that only the last minute counts.
 */
export class ArrivalClock {
  #shortestMs = Number.POSITIVE_INFINITY
  #shortestBeforeMs = Number.POSITIVE_INFINITY
  #windowSinceMs = Number.NEGATIVE_INFINITY

  delayMs(sentAtMs: number, nowMs: number): number {
    const apartMs = nowMs - sentAtMs
    if (nowMs - this.#windowSinceMs > WINDOW_MS) {
      this.#shortestBeforeMs = this.#shortestMs
      this.#shortestMs = apartMs
      this.#windowSinceMs = nowMs
    }
    if (apartMs < this.#shortestMs) this.#shortestMs = apartMs
    return apartMs - Math.min(this.#shortestMs, this.#shortestBeforeMs)
  }
}
