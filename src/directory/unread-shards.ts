/**
 * What a record goes through in this time is read at once and is one row, and the rows of all shards are one message to the
 * thread of the lists.
 */
const READ_AFTER_MS = 200

export type UnreadShardsParts = {
  readonly sleep: (ms: number) => Promise<void>
  readonly read: (shard: number) => void
}

/** Shards with commits that are read soon, all of them together; whoever asks for a list has them read first. */
export class UnreadShards {
  readonly #parts: UnreadShardsParts
  readonly #shards = new Set<number>()
  #isWaiting = false

  constructor(parts: UnreadShardsParts) {
    this.#parts = parts
  }

  get shards(): readonly number[] {
    return [...this.#shards]
  }

  add(shard: number): void {
    this.#shards.add(shard)
    if (this.#isWaiting) return
    this.#isWaiting = true
    // It is over early only where the lists are closed.
    this.#parts.sleep(READ_AFTER_MS).then(
      () => this.#readAll(),
      () => undefined,
    )
  }

  /** Whether there is something to read; the caller reads it. */
  take(shard: number): boolean {
    return this.#shards.delete(shard)
  }

  #readAll(): void {
    this.#isWaiting = false
    const { shards } = this
    this.#shards.clear()
    for (const shard of shards) this.#parts.read(shard)
  }
}
