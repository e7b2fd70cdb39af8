import type { Runtime } from '../ports/runtime.ts'

/** Two clocks that are read one after the other, and that NTP draws together, differ by less. */
const JUMP_MS = 100

/**
 * The time that leases are counted in: the monotonic clock, and every jump of the wall clock ahead of it. While a
 * machine is suspended its monotonic clock stands still, and rivals count on. A wall clock that somebody sets forward
 * looks the same and ends a lease before its time, until the next renewal; one that is set back changes nothing.
 */
export class LeaseClock {
  readonly #runtime: Runtime
  #jumpedMs = 0
  /** By how much the wall clock was ahead at the last jump, or less since. */
  #aheadMs = Number.POSITIVE_INFINITY

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  nowMs(): number {
    // In this order: a stop between the two is counted, while in the other one it would be missed.
    const monotonicMs = this.#runtime.monotonicMs()
    const aheadMs = this.#runtime.now() - monotonicMs
    const jumpMs = aheadMs - this.#aheadMs
    if (jumpMs > JUMP_MS) this.#jumpedMs += jumpMs
    if (jumpMs > JUMP_MS || jumpMs < 0) this.#aheadMs = aheadMs
    return monotonicMs + this.#jumpedMs
  }
}
