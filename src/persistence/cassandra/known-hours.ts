import { LRUCache } from 'lru-cache'

const HOURS_MAX = 100_000

/**
 * Hours whose row this process has written, so that it is written once instead of with every timer. The epoch is part
 * of the key, because an owner of the shard in between may have removed the hour.
 */
export class KnownHours {
  readonly #written = new LRUCache<string, true>({ max: HOURS_MAX })
  readonly #dropped = new Map<number, number>()

  has(shard: number, epoch: number, hour: number): boolean {
    return this.#written.get(keyOf(shard, epoch, hour)) === true
  }

  add(shard: number, epoch: number, hour: number): void {
    this.#written.set(keyOf(shard, epoch, hour), true)
  }

  forget(shard: number, epoch: number, hour: number): void {
    this.#written.delete(keyOf(shard, epoch, hour))
  }

  /** False when all hours up to `last` were removed before. */
  mayDrop(shard: number, last: number): boolean {
    return last > (this.#dropped.get(shard) ?? -1)
  }

  dropped(shard: number, last: number): void {
    this.#dropped.set(shard, last)
  }
}

const keyOf = (shard: number, epoch: number, hour: number): string => `${shard}/${epoch}/${hour}`
