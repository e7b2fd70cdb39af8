import type { Runtime } from '../../ports/runtime.ts'

/** Calls back when the callbacks of this tick of the event loop have run: one immediate for all shards of a process. */
export class EndOfTick {
  readonly #runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>
  #callbacks: (() => void)[] = []
  #lingering: (() => void)[] = []
  #isPlanned = false
  /** When the first that lingers is wanted, and when the next sleep that looks for that ends. */
  #dueMs = Number.POSITIVE_INFINITY
  #wakesAtMs = Number.POSITIVE_INFINITY

  constructor(runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>) {
    this.#runtime = runtime
  }

  call(callback: () => void): void {
    this.#callbacks.push(callback)
    this.hurry()
  }

  /** With the next that is called at the end of a tick, or after so many milliseconds. */
  callLater(callback: () => void, ms: number): void {
    this.#lingering.push(callback)
    this.within(ms)
  }

  /** What lingers is wanted after so many milliseconds at the latest. */
  within(ms: number): void {
    if (this.#isPlanned) return
    this.#dueMs = Math.min(this.#dueMs, this.#runtime.monotonicMs() + ms)
    if (this.#dueMs < this.#wakesAtMs) this.#sleep(ms)
  }

  /** What lingers is wanted at the end of this tick. */
  hurry(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      this.#run()
    })
  }

  /** One that is left to end is cheaper than one that is begun and ended for each batch. */
  #sleep(ms: number): void {
    const endMs = this.#dueMs
    this.#wakesAtMs = endMs
    void this.#runtime.sleep(ms).finally(() => {
      if (this.#wakesAtMs === endMs) this.#wakesAtMs = Number.POSITIVE_INFINITY
      if (this.#dueMs <= endMs) this.hurry()
      else if (this.#dueMs < this.#wakesAtMs) this.#sleep(this.#dueMs - this.#runtime.monotonicMs())
    })
  }

  #run(): void {
    const callbacks = [...this.#callbacks, ...this.#lingering]
    this.#callbacks = []
    this.#lingering = []
    this.#dueMs = Number.POSITIVE_INFINITY
    for (const callback of callbacks) callback()
  }
}
