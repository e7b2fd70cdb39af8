import { type Linked, LinkedList } from '../linked-list.ts'

export type EvictionLimits = { readonly residentMax: number; readonly idleMs: number }

/** What can be taken out of memory. */
export interface Evictable extends Linked<Evictable> {
  usedMs: number
  /** Nothing is queued, uncommitted or being performed. */
  readonly isIdle: boolean
  evict(): void
}

const LOOKED_AT_MAX = 64
const LOOKED_AT_PER_TICK_MAX = 2_000

/** The residents of all shards, the least recently used first. Bounds them by count and by idle time. */
export class Eviction {
  readonly #limits: EvictionLimits
  readonly #byLastUse = new LinkedList<Evictable>()
  #count = 0

  constructor(limits: EvictionLimits) {
    this.#limits = limits
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
    resident.usedMs = nowMs
    if (this.#byLastUse.last === resident) return
    this.#byLastUse.remove(resident)
    this.#byLastUse.push(resident)
  }

  remove(resident: Evictable): void {
    this.#byLastUse.remove(resident)
    this.#count--
  }

  tick(nowMs: number): void {
    const { residentMax, idleMs } = this.#limits
    for (let looked = 0; looked < LOOKED_AT_PER_TICK_MAX; looked++) {
      const { first } = this.#byLastUse
      if (first === null) return
      if (this.#count <= residentMax && nowMs - first.usedMs < idleMs) return
      this.#evictOrPass(first, nowMs)
    }
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
