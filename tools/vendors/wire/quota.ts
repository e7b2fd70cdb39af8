import type { VendorClock } from './vendor-clock.ts'

export type Quota = { readonly calls: number; readonly perMs: number }

/** How many calls of one sort somebody may still make; none is counted where nothing is limited. */
export class Quotas {
  readonly #clock: VendorClock
  readonly #counted = new Map<string, number[]>()

  constructor(clock: VendorClock) {
    this.#clock = clock
  }

  /** Counts the call, unless it is one too many. */
  isExceeded(whose: string, quota: Quota | undefined): boolean {
    if (quota === undefined) return false
    const nowMs = this.#clock.lifeMs
    const recent = (this.#counted.get(whose) ?? []).filter((atMs) => atMs > nowMs - quota.perMs)
    const isExceeded = recent.length >= quota.calls
    this.#counted.set(whose, isExceeded ? recent : [...recent, nowMs])
    return isExceeded
  }
}
