import type { TailPosition } from '../ports/journal.ts'
import type { StoreCalls } from './store-calls.ts'
import type { JournalStore } from './store-port.ts'

/**
 * How far the readers of the log are by what they have saved. They never go back, so what was saved here last is safe to
 * go by, although a reader may be further on by now.
 */
export class ReaderPositions {
  readonly #store: JournalStore
  readonly #calls: StoreCalls
  /** By shard and reader. */
  readonly #saved = new Map<number, Map<string, TailPosition>>()

  constructor(store: JournalStore, calls: StoreCalls) {
    this.#store = store
    this.#calls = calls
  }

  async save(reader: string, shard: number, position: TailPosition): Promise<void> {
    await this.#calls.once(() => this.#store.savePosition(reader, shard, position))
    const ofShard = this.#saved.get(shard) ?? new Map<string, TailPosition>()
    this.#saved.set(shard, ofShard.set(reader, position))
  }

  read(reader: string, shard: number): Promise<TailPosition | null> {
    return this.#calls.once(() => this.#store.readPosition(reader, shard))
  }

  /** At least so far; asks the store, once, only where nothing was saved by this process. */
  async atLeast(reader: string, shard: number): Promise<TailPosition | null> {
    return this.#saved.get(shard)?.get(reader) ?? (await this.#store.readPosition(reader, shard))
  }

  /** The shard was another node's meanwhile, where its readers went on. */
  forget(shard: number): void {
    this.#saved.delete(shard)
  }
}
