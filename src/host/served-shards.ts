import type { ShardCounts, ShardHost } from './shard-host.ts'

/** The shards that are open in this process; whoever follows them is told when one comes or goes. */
export class ServedShards extends Map<number, ShardHost> {
  readonly #listeners = new Set<() => void>()

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  override set(shard: number, host: ShardHost): this {
    super.set(shard, host)
    this.#changed()
    return this
  }

  override delete(shard: number): boolean {
    const wasOpen = super.delete(shard)
    if (wasOpen) this.#changed()
    return wasOpen
  }

  sumOf(read: (host: ShardHost) => number): number {
    let sum = 0
    for (const host of this.values()) sum += read(host)
    return sum
  }

  /** What each shard has done since this process opened the shard. */
  counts(): readonly ({ readonly shard: number } & ShardCounts)[] {
    return [...this].map(([shard, host]) => ({ shard, ...host.counts() }))
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
