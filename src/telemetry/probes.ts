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

/** A service that nobody looks at is probed so much more seldom: each round wakes threads of their own. */
const INTERVALS_UNSEEN = 5
/** The log and the metrics say what is down although nobody looks. */
const UNSEEN_MS_MAX = 5_000

/** Probes every part in the background and keeps the last result, so that health and readiness cost nothing. */
export class Probes implements AsyncDisposable {
  readonly #parts: readonly Probed[]
  readonly #options: ProbeOptions
  readonly #down = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()
  /** Somebody looked at the result since the last round, or before a longer rest. */
  #isSeen = false
  #isResting = false
  #stopped = false

  constructor(parts: readonly Probed[], options: ProbeOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** After a longer rest the next round begins with the look. */
  get healthy(): boolean {
    this.#isSeen = true
    if (this.#isResting) this.#probeIn(0)
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
    const { intervalMs } = this.#options
    const isWatched = this.#isSeen || this.#down.size > 0
    this.#isSeen = false
    const unseenMs = Math.max(intervalMs, Math.min(intervalMs * INTERVALS_UNSEEN, UNSEEN_MS_MAX))
    this.#probeIn(isWatched ? intervalMs : unseenMs)
    this.#isResting = !isWatched
  }

  #probeIn(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#isResting = false
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#isResting = false
      this.#round = this.#probeAll().then(() => this.#schedule())
    }, ms)
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
