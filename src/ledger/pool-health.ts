import { setTimeout as pause } from 'node:timers/promises'

export type PoolStatus = {
  readonly isReachable: boolean
  /** Since when it is as it is. */
  readonly sinceMs: number
  /** When the nodes of the pool were asked for last, and answered; null until they have. */
  readonly refreshedMs: number | null
}

type Settings = {
  /** Learns again which nodes the pool has; rejects where too few of them answer. */
  readonly refresh: () => Promise<void>
  readonly everyMs: number
  /** While it is away. */
  readonly retryMs: number
  readonly now: () => number
  readonly changed?: (status: PoolStatus) => void
}

/** Refreshes the pool from time to time, and knows whether it answers: nothing waits for that. */
export class PoolHealth implements AsyncDisposable {
  readonly #settings: Settings
  readonly #ended = new AbortController()
  #status: PoolStatus
  #failedMs = Number.NEGATIVE_INFINITY
  #round: Promise<void> | null = null
  #loop: Promise<void> | null = null

  constructor(settings: Settings) {
    this.#settings = settings
    // It counts as there until it was asked for in vain: a start is no fault.
    this.#status = { isReachable: true, sinceMs: settings.now(), refreshedMs: null }
  }

  get status(): PoolStatus {
    return this.#status
  }

  start(): void {
    this.#loop ??= this.#refreshForEver()
  }

  /**
   * Something was asked of the pool in vain: it is refreshed before its time, once for all who say so. A pool that is known
   * to be away is left alone for a while, because the client keeps a core busy while it waits.
   */
  check(): Promise<void> {
    const isKnown = performance.now() - this.#failedMs < this.#settings.retryMs
    return this.#round === null && isKnown ? Promise.resolve() : this.#refreshOnce()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort()
    await this.#loop
  }

  /** Looks in the shorter rhythm, because it may have been found to be away in between. */
  async #refreshForEver(): Promise<void> {
    const { everyMs, retryMs } = this.#settings
    const { signal } = this.#ended
    let dueMs = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const nowMs = performance.now()
      if (!this.#status.isReachable || nowMs >= dueMs) {
        await this.#refreshOnce()
        dueMs = nowMs + everyMs
      }
      await pause(Math.min(everyMs, retryMs), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  #refreshOnce(): Promise<void> {
    if (this.#ended.signal.aborted) return Promise.resolve()
    this.#round ??= this.#refresh().finally(() => {
      this.#round = null
    })
    return this.#round
  }

  async #refresh(): Promise<void> {
    const { refresh, now } = this.#settings
    try {
      await refresh()
      this.#failedMs = Number.NEGATIVE_INFINITY
      this.#become(true, now())
    } catch {
      this.#failedMs = performance.now()
      if (!this.#ended.signal.aborted) this.#become(false, this.#status.refreshedMs)
    }
  }

  #become(isReachable: boolean, refreshedMs: number | null): void {
    const { isReachable: wasReachable, sinceMs } = this.#status
    const changed = wasReachable !== isReachable
    this.#status = { isReachable, sinceMs: changed ? this.#settings.now() : sinceMs, refreshedMs }
    if (changed) this.#settings.changed?.(this.#status)
  }
}
