const HOURS_MAX = 50_000

/**
 * Hours whose row this process has written, so that it is written once instead of with every timer. Only of one epoch:
 * when the shard was another's in between, that owner may have removed the hour.
 */
export class KnownHours {
  #young = new Set<string>()
  #old = new Set<string>()
  readonly #dropped = new Map<number, number>()

  has(shard: number, epoch: number, hour: number): boolean {
    const key = keyOf(shard, epoch, hour)
    return this.#young.has(key) || this.#old.has(key)
  }

  add(shard: number, epoch: number, hour: number): void {
    if (this.#young.size >= HOURS_MAX) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(keyOf(shard, epoch, hour))
  }

  forget(shard: number, epoch: number, hour: number): void {
    this.#young.delete(keyOf(shard, epoch, hour))
    this.#old.delete(keyOf(shard, epoch, hour))
  }

  /** True when there may be hours up to `last` that were not removed yet. */
  mayDrop(shard: number, last: number): boolean {
    return last > (this.#dropped.get(shard) ?? -1)
  }

  dropped(shard: number, last: number): void {
    this.#dropped.set(shard, last)
  }
}

const keyOf = (shard: number, epoch: number, hour: number): string => `${shard}/${epoch}/${hour}`
