export type ResidencyLimits = { readonly residentMax: number; readonly idleMs: number }

/** What can be put to sleep; the links are those of the list by last use. */
export type Sleeper = {
  usedMs: number
  older: Sleeper | null
  newer: Sleeper | null
  /** Nothing is queued, uncommitted or being performed. */
  readonly idle: boolean
  passivate(): void
}

/** A busy one is passed over and counts as used. */
const LOOKED_AT_MAX = 64
const LOOKED_AT_PER_TICK_MAX = 2_000

/** Residents of all shards by last use. Bounds them by count and by idle time. */
export class Residency {
  readonly #limits: ResidencyLimits
  #oldest: Sleeper | null = null
  #newest: Sleeper | null = null
  #count = 0

  constructor(limits: ResidencyLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#count
  }

  add(sleeper: Sleeper, nowMs: number): void {
    this.#count++
    this.#append(sleeper, nowMs)
    if (this.#count > this.#limits.residentMax) this.#makeRoom(nowMs)
  }

  touch(sleeper: Sleeper, nowMs: number): void {
    if (this.#newest === sleeper) {
      sleeper.usedMs = nowMs
      return
    }
    this.#unlink(sleeper)
    this.#append(sleeper, nowMs)
  }

  remove(sleeper: Sleeper): void {
    this.#unlink(sleeper)
    this.#count--
  }

  passivateIdle(nowMs: number): void {
    // Leaving takes a turn, so the count itself does not fall meanwhile.
    let surplus = this.#count - this.#limits.residentMax
    for (let looked = 0; looked < LOOKED_AT_PER_TICK_MAX; looked++) {
      const oldest = this.#oldest
      if (oldest === null) return
      if (surplus <= 0 && nowMs - oldest.usedMs < this.#limits.idleMs) return
      if (this.#passivateOrPass(oldest, nowMs)) surplus--
    }
  }

  #makeRoom(nowMs: number): void {
    for (let looked = 0; looked < LOOKED_AT_MAX; looked++) {
      const oldest = this.#oldest
      if (oldest === null || this.#passivateOrPass(oldest, nowMs)) return
    }
  }

  /** Either way it is no longer the oldest. */
  #passivateOrPass(sleeper: Sleeper, nowMs: number): boolean {
    this.touch(sleeper, nowMs)
    if (!sleeper.idle) return false
    sleeper.passivate()
    return true
  }

  #append(sleeper: Sleeper, nowMs: number): void {
    sleeper.usedMs = nowMs
    sleeper.older = this.#newest
    sleeper.newer = null
    if (this.#newest === null) this.#oldest = sleeper
    else this.#newest.newer = sleeper
    this.#newest = sleeper
  }

  #unlink(sleeper: Sleeper): void {
    if (sleeper.older === null) this.#oldest = sleeper.newer
    else sleeper.older.newer = sleeper.newer
    if (sleeper.newer === null) this.#newest = sleeper.older
    else sleeper.newer.older = sleeper.older
    sleeper.older = null
    sleeper.newer = null
  }
}
