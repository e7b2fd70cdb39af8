import { Pool } from 'undici'

/** Beyond that, those of hosts that were not called for longest go; only ones that a call needs stay. */
const POOLS_MAX = 1_024

/**
 * The connections to each host. The library's own agent gives a host a second pool when a connection of the first
 * closes while calls wait, and then the bound of each pool is none of the host.
 */
export class Pools {
  readonly #options: Pool.Options
  /** The one that was used last stands last. */
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
