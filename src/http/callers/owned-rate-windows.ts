import type { Eventually } from '../../domain/eventually.ts'
import type { Rate, RateDecision, RateWindows } from './rate-windows.ts'

export type RateOwners = {
  /** Who counts this key's requests; null when it is this node. */
  readonly ownerOf: (key: string) => RateWindows | null
  /** How many nodes may admit requests of one key while its owner is away. */
  readonly nodes: () => number
}

/**
 * A key is counted in one place, so that its limit is the same through whichever node it comes. While that place can't
 * be reached, each node admits its share: a little too few rather than several times too many.
 */
export class OwnedRateWindows implements RateWindows {
  readonly #local: RateWindows
  readonly #owners: RateOwners

  constructor(local: RateWindows, owners: RateOwners) {
    this.#local = local
    this.#owners = owners
  }

  take(key: string, rate: Rate): Eventually<RateDecision> {
    const owner = this.#owners.ownerOf(key)
    if (owner === null) return this.#local.take(key, rate)
    return this.#ask(owner, key, rate)
  }

  async #ask(owner: RateWindows, key: string, rate: Rate): Promise<RateDecision> {
    try {
      return await owner.take(key, rate)
    } catch {
      const share = Math.max(1, Math.floor(rate.max / Math.max(1, this.#owners.nodes())))
      return this.#local.take(key, { ...rate, max: share })
    }
  }
}
