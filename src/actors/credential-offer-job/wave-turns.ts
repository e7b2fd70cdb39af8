import type { EffectGate } from '../../host/definition.ts'

/** Waves that one node has under way at once: a few, so that offers by themselves go on beside them. */
const AT_ONCE = 2
/** Waves that wait in memory; any other waits in the journal. */
const WAITING_MAX = 1_000
/** Of one organisation; where all that wait are too many, each still has a place, so that no other keeps it out. */
const WAITING_OF_ONE_MAX = 100
const COME_AGAIN_MS = 5_000

/** One wave of an organisation at a time, and organisations in turn. */
export class WaveTurns {
  readonly #running = new Set<string>()
  /** In rotation. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #waitingCount = 0

  of(tenant: string): EffectGate {
    return { enter: (begin) => this.#enter(tenant, begin), leave: () => this.#leave(tenant) }
  }

  #enter(tenant: string, begin: () => void): number | null {
    if (this.#running.size < AT_ONCE && !this.#running.has(tenant)) {
      this.#running.add(tenant)
      begin()
      return null
    }
    const line = this.#waiting.get(tenant) ?? []
    if (line.length >= (this.#waitingCount < WAITING_MAX ? WAITING_OF_ONE_MAX : 1)) return COME_AGAIN_MS
    line.push(begin)
    this.#waiting.set(tenant, line)
    this.#waitingCount++
    return null
  }

  #leave(tenant: string): void {
    this.#running.delete(tenant)
    for (const [next, line] of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return
      if (this.#running.has(next)) continue
      const begin = line.shift()
      this.#waitingCount--
      // Its other jobs wait behind those of all others.
      this.#waiting.delete(next)
      if (line.length > 0) this.#waiting.set(next, line)
      this.#running.add(next)
      begin?.()
    }
  }
}
