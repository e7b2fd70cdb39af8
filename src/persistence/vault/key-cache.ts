/**
 * A cache whose entries may be in use after they leave it: as long as an evicted object is in use, the same object is
 * found again.
 */
export class KeyCache<Entry extends object> {
  readonly #countMax: number
  readonly #lifetimeMs: number
  readonly #monotonicMs: () => number
  /** In the order of their last use. */
  readonly #recent = new Map<string, { entry: Entry; readonly checkedMs: number }>()
  readonly #evicted = new Map<string, WeakRef<Entry>>()
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (this.#evicted.get(id)?.deref() === undefined) this.#evicted.delete(id)
  })

  constructor(countMax: number, lifetimeMs: number, monotonicMs: () => number) {
    this.#countMax = countMax
    this.#lifetimeMs = lifetimeMs
    this.#monotonicMs = monotonicMs
  }

  get size(): number {
    return this.#recent.size
  }

  /** The entry if it was checked against the store within its lifetime; null when the store must be asked. */
  fresh(id: string): Entry | null {
    const held = this.#recent.get(id)
    if (held === undefined || this.#isExpired(held.checkedMs)) return null
    this.#recent.delete(id)
    this.#recent.set(id, held)
    return held.entry
  }

  /** The object that all holders share, however long ago it was checked. */
  living(id: string): Entry | null {
    return this.#recent.get(id)?.entry ?? this.#evicted.get(id)?.deref() ?? null
  }

  /** Stores an entry that was just checked against the store, or made. */
  put(id: string, entry: Entry): void {
    this.#recent.delete(id)
    this.#evicted.delete(id)
    this.#recent.set(id, { entry, checkedMs: this.#monotonicMs() })
    if (this.#recent.size > this.#countMax) {
      for (const oldest of this.#recent.keys()) {
        this.#evict(oldest)
        break
      }
    }
  }

  remove(id: string): void {
    this.#recent.delete(id)
    this.#evicted.delete(id)
  }

  entries(): Iterable<Entry> {
    return this.#recent.values().map(({ entry }) => entry)
  }

  /** Removes keys from memory after their lifetime, also those that no one asks for. */
  evictExpired(): void {
    for (const [id, { checkedMs }] of this.#recent) if (this.#isExpired(checkedMs)) this.#evict(id)
  }

  clear(): void {
    this.#recent.clear()
    this.#evicted.clear()
  }

  #isExpired(checkedMs: number): boolean {
    return this.#monotonicMs() - checkedMs >= this.#lifetimeMs
  }

  #evict(id: string): void {
    const held = this.#recent.get(id)
    if (held === undefined) return
    this.#recent.delete(id)
    this.#evicted.set(id, new WeakRef(held.entry))
    this.#collected.register(held.entry, id)
  }
}
