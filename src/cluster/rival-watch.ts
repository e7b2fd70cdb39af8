import { type NodeLease, stands } from '../ports/lease.ts'

type Seen = { readonly incarnation: string; readonly counter: number; readonly sinceMs: number }

/** Finds nodes whose counter stood still for the whole dead time, measured on our own monotonic clock. */
export class RivalWatch {
  readonly #deadMs: number
  readonly #gapMaxMs: number
  readonly #seen = new Map<string, Seen>()
  #lastMs = Number.NEGATIVE_INFINITY

  /**
   * After a gap without observations the watch begins again, because a store that was away stopped everyone's renewals.
   */
  constructor(deadMs: number, gapMaxMs: number) {
    this.#deadMs = deadMs
    this.#gapMaxMs = gapMaxMs
  }

  /** `nowMs` is read after the rows, so every renewal in them was sent before it. */
  observe(rows: readonly NodeLease[], nowMs: number): readonly NodeLease[] {
    if (nowMs - this.#lastMs > this.#gapMaxMs) this.#seen.clear()
    this.#lastMs = nowMs
    return rows.filter((row) => stands(row) && this.#stillFor(row, nowMs) >= this.#deadMs)
  }

  #stillFor({ node, incarnation, counter }: NodeLease, nowMs: number): number {
    const seen = this.#seen.get(node)
    if (seen !== undefined && seen.incarnation === incarnation && seen.counter === counter)
      return nowMs - seen.sinceMs
    this.#seen.set(node, { incarnation, counter, sinceMs: nowMs })
    return 0
  }
}
