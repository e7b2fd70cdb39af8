import { LRUCache } from 'lru-cache'
import type { EffectGate } from '../../host/definition.ts'
import { ReceiverPace } from '../../host/effects/lanes.ts'
import type { Runtime } from '../../ports/runtime.ts'

export type EndpointLimits = {
  /** Attempts under way at once to one endpoint. */
  readonly atOnceMax: number
  /** The same while the endpoint fails every time. */
  readonly atOnceFailingMax: number
  /** Failures in a row after which it counts as failing. */
  readonly failuresMax: number
  /** Attempts that wait in memory for one endpoint; all others wait in the journal. */
  readonly waitingMax: number
  /** The same for all endpoints together; beyond it each has `atOnceMax` places left. */
  readonly waitingTotalMax: number
}

export const endpointLimitDefaults: EndpointLimits = {
  atOnceMax: 16,
  atOnceFailingMax: 4,
  failuresMax: 16,
  waitingMax: 256,
  waitingTotalMax: 10_000,
}

const COME_AGAIN_MS_MAX = 600_000
/** Between these lies the pause of the first one that finds the window full. */
const COME_AGAIN_MS_LEAST = 250
const COME_AGAIN_MS_MOST = 5_000
const IDLE_LIMITERS_MAX = 10_000

/** Attempts that wait in memory, over all endpoints. */
type Window = { waiting: number }

/**
 * Limits the attempts to one endpoint: a bounded window of what is due, and a breaker. Limiters of two endpoints share
 * nothing but a bound on memory, so a slow endpoint fills its own window alone. An attempt that finds the window full
 * comes again at the endpoint's own pace.
 */
class EndpointLimiter implements EffectGate {
  readonly #settings: EndpointLimits
  readonly #nowMs: () => number
  readonly #window: Window
  readonly #idle: () => void
  readonly #waiting: (() => void)[] = []
  readonly #pace: ReceiverPace
  #running = 0

  constructor(settings: EndpointLimits, window: Window, nowMs: () => number, idle: () => void) {
    this.#settings = settings
    this.#window = window
    this.#nowMs = nowMs
    this.#idle = idle
    this.#pace = new ReceiverPace({ ...settings, comeAgainMsMax: COME_AGAIN_MS_MAX })
  }

  enter(begin: () => void): number | null {
    if (this.#running < this.#pace.atOnce) {
      this.#running++
      begin()
      return null
    }
    if (this.#mayWait()) {
      this.#waiting.push(begin)
      this.#window.waiting++
      return null
    }
    return this.#pace.comeAgainInMs(this.#nowMs(), this.#leastPauseMs())
  }

  /** Half of what the window takes: a longer pause would leave an endpoint idle that answers quickly. */
  #leastPauseMs(): number {
    const halfMs = this.#pace.workedOffInMs(this.#waiting.length) / 2
    return Math.min(COME_AGAIN_MS_MOST, Math.max(COME_AGAIN_MS_LEAST, halfMs))
  }

  leave(): void {
    this.#running--
    while (this.#running < this.#pace.atOnce) {
      const begin = this.#waiting.shift()
      if (begin === undefined) break
      this.#window.waiting--
      this.#running++
      begin()
    }
    if (this.#running === 0) this.#idle()
  }

  /** How an attempt went; the breaker and the pace follow it. */
  note(accepted: boolean, durationMs: number): void {
    this.#pace.note(accepted, durationMs)
  }

  #mayWait(): boolean {
    const { waitingMax, waitingTotalMax, atOnceMax } = this.#settings
    return this.#waiting.length < (this.#window.waiting < waitingTotalMax ? waitingMax : atOnceMax)
  }
}

/** The limiters of all endpoints that have attempts under way on this node, and of those used last. */
export class EndpointLimiters {
  readonly #settings: EndpointLimits
  readonly #runtime: Pick<Runtime, 'monotonicMs'>
  readonly #window: Window = { waiting: 0 }
  readonly #busy = new Map<string, EndpointLimiter>()
  readonly #rested = new LRUCache<string, EndpointLimiter>({ max: IDLE_LIMITERS_MAX })

  constructor(settings: EndpointLimits, runtime: Pick<Runtime, 'monotonicMs'>) {
    this.#settings = settings
    this.#runtime = runtime
  }

  get count(): number {
    return this.#busy.size + this.#rested.size
  }

  of(endpoint: string): EndpointLimiter {
    const busy = this.#busy.get(endpoint)
    if (busy !== undefined) return busy
    const limiter = this.#rested.get(endpoint) ?? this.#make(endpoint)
    this.#rested.delete(endpoint)
    this.#busy.set(endpoint, limiter)
    return limiter
  }

  #make(endpoint: string): EndpointLimiter {
    return new EndpointLimiter(
      this.#settings,
      this.#window,
      () => this.#runtime.monotonicMs(),
      () => this.#rest(endpoint),
    )
  }

  #rest(endpoint: string): void {
    const limiter = this.#busy.get(endpoint)
    if (limiter === undefined) return
    this.#busy.delete(endpoint)
    this.#rested.set(endpoint, limiter)
  }
}
