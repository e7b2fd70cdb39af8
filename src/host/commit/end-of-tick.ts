import type { Runtime } from '../../ports/runtime.ts'

/** A commit costs a wake-up of the engine and a sync of the disk, so what nothing waits for waits for another so long. */
const LINGER_MS = 10

/** Calls back when the callbacks of this tick of the event loop have run: one immediate for all shards of a process. */
export class EndOfTick {
  readonly #runtime: Pick<Runtime, 'sleep'>
  #callbacks: (() => void)[] = []
  #lingering: (() => void)[] = []
  #isPlanned = false
  #isSleeping = false

  constructor(runtime: Pick<Runtime, 'sleep'>) {
    this.#runtime = runtime
  }

  call(callback: () => void): void {
    this.#callbacks.push(callback)
    this.hurry()
  }

  /** With the next that is called at the end of a tick, or a moment later. */
  callLater(callback: () => void): void {
    this.#lingering.push(callback)
    if (this.#isPlanned || this.#isSleeping) return
    this.#isSleeping = true
    void this.#runtime.sleep(LINGER_MS).finally(() => {
      this.#isSleeping = false
      this.hurry()
    })
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

  #run(): void {
    const callbacks = [...this.#callbacks, ...this.#lingering]
    this.#callbacks = []
    this.#lingering = []
    for (const callback of callbacks) callback()
  }
}
