import type { Actors } from '../../ports/actors.ts'
import type { Parked } from '../../ports/parking.ts'

/** Another node parks what it has announced within this time, or announces it again. */
const ANNOUNCED_MS = 60_000

/** In which shards something is parked, as far as this process has seen or heard. */
export class KnownShards {
  readonly #seen = new Set<number>()
  readonly #inUse = new Set<number>()
  readonly #announcedAtMs = new Map<number, number>()
  #session: () => string | null = () => null
  #seenIn: string | null = null

  /** Of a node among others: what these announce while it is not one of them it does not hear, and it looks again. */
  knownAs(session: () => string | null): void {
    this.#session = session
  }

  seen(shard: number, entries: readonly Parked[]): readonly Parked[] {
    this.#forgetBefore()
    this.#seen.add(shard)
    if (entries.length > 0) this.#inUse.add(shard)
    else if (!this.#isAnnounced(shard)) this.#inUse.delete(shard)
    return entries
  }

  /** Somebody is about to park something there: until then a look at the shard finds nothing. */
  announced(shard: number): void {
    this.#inUse.add(shard)
    this.#announcedAtMs.set(shard, performance.now())
  }

  /** Also where nobody has looked since this process began: what is parked there may be older. */
  mayBeInUse(shard: number): boolean {
    this.#forgetBefore()
    return this.#inUse.has(shard) || !this.#seen.has(shard)
  }

  #forgetBefore(): void {
    const session = this.#session()
    if (session === this.#seenIn) return
    this.#seenIn = session
    this.#seen.clear()
  }

  #isAnnounced(shard: number): boolean {
    return performance.now() - (this.#announcedAtMs.get(shard) ?? Number.NEGATIVE_INFINITY) < ANNOUNCED_MS
  }
}

const known = new WeakMap<Actors, KnownShards>()

/** One for all who park and read beside the same actors. */
export const shardsKnownTo = (actors: Actors): KnownShards => {
  const shards = known.get(actors) ?? new KnownShards()
  known.set(actors, shards)
  return shards
}
