import { Pool } from 'undici'

/** The most pools; beyond that the least recently used idle one is closed, and pools with calls stay. */
const POOLS_MAX = 1_024

/**
 * The connections to each host. The library's own agent opens a second pool for a host when a connection closes while
 * calls wait, so that its limit on connections would not hold for the host.
 */
export class Pools {
  readonly #options: Pool.Options
  /** In the order of their last use. */
  readonly #pools = new Map<string, Pool>()

  constructor(options: Pool.Options) {
    this.#options = options
  }

  get size(): number {
    return this.#pools.size
  }

  of(origin: string): Pool {
    const known = this.#pools.get(origin)
    if (known !== undefined) this.#pools.delete(origin)
    else if (this.#pools.size >= POOLS_MAX) this.#dropIdle()
    const pool = known ?? new Pool(origin, this.#options)
    this.#pools.set(origin, pool)
    return pool
  }

  destroy(): void {
    for (const pool of this.#pools.values()) pool.destroy().catch(() => undefined)
    this.#pools.clear()
  }

  #dropIdle(): void {
    for (const [origin, pool] of this.#pools) {
      if (pool.stats.size > 0) continue
      this.#pools.delete(origin)
      pool.close().catch(() => undefined)
      return
    }
  }
}
