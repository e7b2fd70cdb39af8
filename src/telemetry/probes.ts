import { within } from '../timing/within.ts'
import type { Log } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** A part of the service that can check whether it works. */
export type Probed = {
  readonly name: string
  /** Resolves when the part works; rejects with the reason when it does not. */
  probe(): Promise<void>
}

export type ProbeOptions = {
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly log: Log
  readonly metrics: Metrics
}

/** Probes every part in the background and keeps the last result, so that health and readiness cost nothing. */
export class Probes implements AsyncDisposable {
  readonly #parts: readonly Probed[]
  readonly #options: ProbeOptions
  readonly #down = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: readonly Probed[], options: ProbeOptions) {
    this.#parts = parts
    this.#options = options
  }

  get healthy(): boolean {
    return this.#down.size === 0
  }

  /** Resolves after the first round, so that the very first answer is a measured one. */
  async start(): Promise<void> {
    await this.#probeAll()
    this.#schedule()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#round
  }

  #schedule(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#round = this.#probeAll().then(() => this.#schedule())
    }, this.#options.intervalMs)
    this.#timer.unref()
  }

  async #probeAll(): Promise<void> {
    await Promise.all(this.#parts.map((part) => this.#probeOne(part)))
  }

  async #probeOne(part: Probed): Promise<void> {
    const { log, metrics, timeoutMs } = this.#options
    let up = false
    try {
      await within(timeoutMs, part.probe(), () => new Error('the probe took too long'))
      up = true
      if (this.#down.delete(part.name)) log('probe.recovered', { part: part.name })
    } catch (error) {
      if (!this.#down.has(part.name)) log('probe.failed', { part: part.name, error })
      this.#down.add(part.name)
    }
    metrics.partUp.set({ part: part.name }, up ? 1 : 0)
  }
}
