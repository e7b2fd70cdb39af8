import type { Actors } from '../../ports/actors.ts'
import type { Parked } from '../../ports/parking.ts'

/** In which shards something is parked, as far as this process has seen. */
export class KnownShards {
  readonly #seen = new Set<number>()
  readonly #inUse = new Set<number>()

  seen(shard: number, entries: readonly Parked[]): readonly Parked[] {
    this.#seen.add(shard)
    if (entries.length > 0) this.#inUse.add(shard)
    else this.#inUse.delete(shard)
    return entries
  }

  isInUse(shard: number): boolean {
    return this.#inUse.has(shard)
  }

  mayBeInUse(shard: number): boolean {
    return this.#inUse.has(shard) || !this.#seen.has(shard)
  }
}

const known = new WeakMap<Actors, KnownShards>()

/** One for all who park and read beside the same actors. */
export const shardsKnownTo = (actors: Actors): KnownShards => {
  const shards = known.get(actors) ?? new KnownShards()
  known.set(actors, shards)
  return shards
}
