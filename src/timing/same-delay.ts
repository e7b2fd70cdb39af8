export type Clock = {
  monotonicMs(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

type Due = { readonly atMs: number; readonly act: () => void }

/** Things that are to be done after a delay that is the same for all, so that they are due in their order: one timer does. */
export class SameDelay {
  readonly #clock: Clock
  readonly #delayMs: number
  readonly #stop = new AbortController()
  #waiting: Due[] = []
  #isRunning = false

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock
    this.#delayMs = delayMs
  }

  get size(): number {
    return this.#waiting.length
  }

  /** `act` must not throw. */
  add(act: () => void): void {
    if (this.#stop.signal.aborted) return
    this.#waiting.push({ atMs: this.#clock.monotonicMs() + this.#delayMs, act })
    if (!this.#isRunning) void this.#run()
  }

  /** What waits is done now, and nothing more comes after it. */
  end(): void {
    const due = this.#waiting
    this.stop()
    for (const { act } of due) act()
  }

  /** What waits is not done any more. */
  stop(): void {
    this.#waiting = []
    this.#stop.abort(STOPPED)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    this.#isRunning = true
    while (this.#waiting.length > 0 && !signal.aborted) {
      const firstAtMs = this.#waiting[0]?.atMs ?? 0
      await this.#clock
        .sleep(Math.max(0, firstAtMs - this.#clock.monotonicMs()), signal)
        .catch(() => undefined)
      const nowMs = this.#clock.monotonicMs()
      const later = this.#waiting.findIndex(({ atMs }) => atMs > nowMs)
      const due = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later)
      for (const { act } of due) act()
    }
    this.#isRunning = false
  }
}

/** Created once: without a reason every end would create an error with its stack. */
const STOPPED = new Error('nothing is waited for any more')
