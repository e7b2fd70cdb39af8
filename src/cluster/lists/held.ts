import { epochOfRev, type Rev, type ShardRev, type WantedChanges } from '../../ports/list-replicas.ts'

type Waiter = { readonly needed: readonly ShardRev[]; readonly reached: () => void }

/** Up to where this node's file has each shard, and who waits for more. */
export class Held {
  readonly #revs: Float64Array
  /** Up to where nothing is missing: rows that changed again stand behind the end of an answer that was cut. */
  readonly #whole: Float64Array
  readonly #filling = new Set<number>()
  readonly #waiting = new Set<Waiter>()

  constructor(shards: number) {
    this.#revs = new Float64Array(shards)
    this.#whole = new Float64Array(shards)
  }

  /** The shards that are filled anew. */
  filling(): readonly number[] {
    return [...this.#filling]
  }

  /** What another node is asked for. */
  wanted(shard: number): WantedChanges {
    return { shard, rev: this.at(shard), isFilling: this.#filling.has(shard) }
  }

  at(shard: number): Rev {
    return this.#revs[shard] ?? 0
  }

  /** Of each shard, the term of the owner whose changes this node's file has. */
  terms(): readonly number[] {
    return Array.from(this.#revs, epochOfRev)
  }

  /** The file has so far, but may lack what changed again since. */
  move({ shard, rev, isFilling = false }: WantedChanges): void {
    this.#revs[shard] = rev
    if (isFilling) this.#filling.add(shard)
    else this.#filling.delete(shard)
    this.#whole[shard] = Math.min(rev, this.#whole[shard] ?? 0)
  }

  /** The file has everything so far. */
  set({ shard, rev }: ShardRev): void {
    this.move({ shard, rev })
    this.#whole[shard] = rev
    for (const waiter of this.#waiting) {
      if (!this.#has(waiter.needed)) continue
      this.#waiting.delete(waiter)
      waiter.reached()
    }
  }

  /** Resolves when the file has them all, or with the signal. */
  async reached(needed: readonly ShardRev[], signal: AbortSignal): Promise<void> {
    if (this.#has(needed) || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter = { needed, reached: resolve }
    this.#waiting.add(waiter)
    const forget = (): void => {
      this.#waiting.delete(waiter)
      resolve()
    }
    signal.addEventListener('abort', forget, { once: true })
    await promise
    signal.removeEventListener('abort', forget)
  }

  #has(needed: readonly ShardRev[]): boolean {
    return needed.every(({ shard, rev }) => (this.#whole[shard] ?? 0) >= rev)
  }
}
