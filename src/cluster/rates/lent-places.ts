import { LRUCache } from 'lru-cache'
import { olderBy, type Loan, type Used } from './rate-messages.ts'
import type { RateSettings } from './settings.ts'

type Held = {
  readonly id: string
  readonly places: number
  readonly untilMs: number
  readonly usesMs: number[]
  /** As the owner saw it when it lent. */
  readonly remaining: number
  readonly resetAtMs: number
}

/** How often a key came through this node, in spans as long as a loan. */
type Pace = { spanMs: number; count: number; before: number }

/** The places that owners have lent to this node. */
export class LentPlaces {
  readonly #nowMs: () => number
  readonly #settings: RateSettings
  readonly #held = new Map<string, Held>()
  /** Loans that are over, for the owner that did not hear of it yet; the oldest go. */
  readonly #over: LRUCache<string, { readonly used: Used; readonly atMs: number }>
  /** Asked back before they came. */
  readonly #unwanted: LRUCache<string, true>
  readonly #paces: LRUCache<string, Pace>

  /** `nowMs` counts the time in which the machine slept. */
  constructor(nowMs: () => number, settings: RateSettings) {
    this.#nowMs = nowMs
    this.#settings = settings
    const max = settings.loansMax
    this.#over = new LRUCache({ max })
    this.#unwanted = new LRUCache({ max })
    this.#paces = new LRUCache({ max })
  }

  /** One of the places; null where there is none that may be used now. */
  use(key: string): { readonly remaining: number; readonly resetMs: number } | null {
    const held = this.#held.get(key)
    if (held === undefined) return null
    const nowMs = this.#nowMs()
    if (nowMs >= held.untilMs || held.usesMs.length >= held.places) return null
    held.usesMs.push(nowMs)
    const remaining = held.remaining + held.places - held.usesMs.length
    return { remaining, resetMs: Math.max(1, held.resetAtMs - nowMs) }
  }

  /** The place that was used last is free again; false where none was. */
  takeBack(key: string): boolean {
    return this.#held.get(key)?.usesMs.pop() !== undefined
  }

  /** Counts a request that has to ask, and says how many places would be used ahead. */
  wish(key: string): number {
    const { loanMs, placesMax } = this.#settings
    const nowMs = this.#nowMs()
    const pace = this.#paces.get(key) ?? { spanMs: nowMs, count: 0, before: 0 }
    const spans = Math.floor((nowMs - pace.spanMs) / loanMs)
    if (spans > 0) {
      pace.before = spans === 1 ? pace.count : 0
      pace.count = 0
      pace.spanMs = nowMs
    }
    pace.count++
    this.#paces.set(key, pace)
    return Math.min(placesMax, Math.max(pace.before, pace.count) - 1)
  }

  /** False where the loan is not to be used. */
  lent(
    key: string,
    { id, places, forMs }: Loan,
    sentMs: number,
    { remaining, resetMs }: { readonly remaining: number; readonly resetMs: number },
  ): boolean {
    const isFull = this.#held.size >= this.#settings.loansMax && !this.#held.has(key)
    if (this.#unwanted.has(id) || isFull) return false
    const usesMs: number[] = []
    const resetAtMs = this.#nowMs() + resetMs
    this.#held.set(key, {
      id,
      places,
      usesMs,
      untilMs: sentMs + forMs,
      remaining: remaining - places,
      resetAtMs,
    })
    return true
  }

  /** What is to be told to the owner: the loan is over. */
  end(key: string, id?: string): Used | null {
    const held = this.#held.get(key)
    if (held === undefined || (id !== undefined && held.id !== id)) return null
    this.#held.delete(key)
    const nowMs = this.#nowMs()
    this.#paces.set(key, { spanMs: nowMs, count: 1, before: held.usesMs.length + 1 })
    const used = { loan: held.id, agesMs: held.usesMs.map((atMs) => nowMs - atMs), isOver: true }
    this.#over.set(held.id, { used, atMs: nowMs })
    return used
  }

  /** The same for loans that the owner asks back, whether it has heard of their end or not, or they have not come yet. */
  giveBack(key: string, ids: readonly string[]): readonly Used[] {
    return ids.map((id) => {
      const ended = this.end(key, id)
      if (ended !== null) return ended
      const over = this.#over.get(id)
      if (over === undefined) {
        this.#unwanted.set(id, true)
        return { loan: id, agesMs: [], isOver: true }
      }
      return olderBy(over.used, this.#nowMs() - over.atMs)
    })
  }
}
