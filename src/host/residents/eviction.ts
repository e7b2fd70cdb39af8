import { type Linked, LinkedList } from '../linked-list.ts'

export type EvictionLimits = { readonly residentMax: number; readonly idleMs: number }

/** What can be taken out of memory. */
export interface Evictable extends Linked<Evictable> {
  usedMs: number
  /** Written by `eviction.ts`. */
  isSpent: boolean
  /** Nothing is queued, uncommitted or being performed. */
  readonly isIdle: boolean
  evict(): void
  /** Called when nothing was left to do for the record; the record stays in memory if that has changed. */
  leave(): void
}

const LOOKED_AT_MAX = 64
const LOOKED_AT_PER_TICK_MAX = 2_000
/** The lists ask a record for its row 200 ms after it has changed, and would have it read again. */
const SPENT_UNUSED_MS = 500

/** The residents of all shards, the least recently used first. Bounds them by count and by idle time. */
export class Eviction {
  readonly #limits: EvictionLimits
  readonly #byLastUse = new LinkedList<Evictable>()
  /** Residents for which nothing is left to do. */
  readonly #spent = new LinkedList<Evictable>()
  readonly #wanted: (inMs: number) => void
  #count = 0

  /** `wanted`: a tick is wanted in so many milliseconds; left out where it is ticked all the time. */
  constructor(limits: EvictionLimits, wanted: (inMs: number) => void = () => undefined) {
    this.#limits = limits
    this.#wanted = wanted
  }

  get count(): number {
    return this.#count
  }

  add(resident: Evictable, nowMs: number): void {
    this.#count++
    resident.usedMs = nowMs
    this.#byLastUse.push(resident)
    for (let looked = 0; looked < LOOKED_AT_MAX && this.#count > this.#limits.residentMax; looked++) {
      const { first } = this.#byLastUse
      if (first === null || this.#evictOrPass(first, nowMs)) return
    }
  }

  used(resident: Evictable, nowMs: number): void {
    if (resident.isSpent) {
      // The lists ask for a changed record once, and then no caller does: a record that stays longer goes to the old space.
      resident.usedMs = nowMs - SPENT_UNUSED_MS
      this.#spent.remove(resident)
      this.#spent.unshift(resident)
      this.#wanted(0)
      return
    }
    resident.usedMs = nowMs
    if (this.#byLastUse.last === resident) return
    this.#byLastUse.remove(resident)
    this.#byLastUse.push(resident)
  }

  /** Nothing is left to do for the resident: it leaves after its next use, or when no use comes. */
  spent(resident: Evictable): void {
    if (resident.isSpent) return
    this.#byLastUse.remove(resident)
    resident.isSpent = true
    this.#spent.push(resident)
    this.#wanted(SPENT_UNUSED_MS)
  }

  remove(resident: Evictable): void {
    const list = resident.isSpent ? this.#spent : this.#byLastUse
    list.remove(resident)
    this.#count--
  }

  tick(nowMs: number): void {
    this.#letSpentLeave(nowMs)
    const { residentMax, idleMs } = this.#limits
    for (let looked = 0; looked < LOOKED_AT_PER_TICK_MAX; looked++) {
      const { first } = this.#byLastUse
      if (first === null) return
      if (this.#count <= residentMax && nowMs - first.usedMs < idleMs) return
      this.#evictOrPass(first, nowMs)
    }
  }

  #letSpentLeave(nowMs: number): void {
    for (let looked = 0; looked < LOOKED_AT_PER_TICK_MAX; looked++) {
      const { first } = this.#spent
      if (first === null || nowMs - first.usedMs < SPENT_UNUSED_MS) return
      this.#spent.remove(first)
      first.isSpent = false
      this.#byLastUse.push(first)
      first.usedMs = nowMs
      first.leave()
    }
  }

  /** When `tick` has something to do next. */
  nextMs(nowMs: number): number {
    const { residentMax, idleMs } = this.#limits
    if (this.#count > residentMax) return nowMs
    const spentMs = (this.#spent.first?.usedMs ?? Number.POSITIVE_INFINITY) + SPENT_UNUSED_MS
    const idleSinceMs = this.#byLastUse.first?.usedMs ?? Number.POSITIVE_INFINITY
    return Math.min(spentMs, idleSinceMs + idleMs)
  }

  /** A busy one is passed over and counts as used. */
  #evictOrPass(resident: Evictable, nowMs: number): boolean {
    if (!resident.isIdle) {
      this.used(resident, nowMs)
      return false
    }
    resident.evict()
    return true
  }
}
