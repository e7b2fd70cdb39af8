import type { TailPosition } from '../ports/journal.ts'
import type { StoreCalls } from './store-calls.ts'
import type { JournalStore } from './store-port.ts'

type ByShard = Map<number, Map<string, TailPosition>>

/**
 * How far the readers of the log are: by what they have saved, which a crash leaves as it is, and by what they have said
 * since. They never go back, so what is known here is safe to go by, although a reader may be further on by now.
 */
export class ReaderPositions {
  readonly #store: JournalStore
  readonly #calls: StoreCalls
  readonly #saved: ByShard = new Map()
  readonly #passed: ByShard = new Map()

  constructor(store: JournalStore, calls: StoreCalls) {
    this.#store = store
    this.#calls = calls
  }

  async save(reader: string, shard: number, position: TailPosition): Promise<void> {
    await this.#calls.once(() => this.#store.savePosition(reader, shard, position))
    note(this.#saved, reader, shard, position)
  }

  passed(reader: string, shard: number, position: TailPosition): void {
    note(this.#passed, reader, shard, position)
  }

  read(reader: string, shard: number): Promise<TailPosition | null> {
    return this.#calls.once(() => this.#store.readPosition(reader, shard))
  }

  /** At least so far in the store; it is asked, once, only where nothing was saved by this process. */
  async savedAtLeast(reader: string, shard: number): Promise<TailPosition | null> {
    return this.#saved.get(shard)?.get(reader) ?? (await this.#store.readPosition(reader, shard))
  }

  /** At least so far, although a crash may send the reader back to what it has saved. */
  async passedAtLeast(reader: string, shard: number): Promise<TailPosition | null> {
    return this.#passed.get(shard)?.get(reader) ?? (await this.savedAtLeast(reader, shard))
  }

  /** The shard was another node's meanwhile, where its readers went on. */
  forget(shard: number): void {
    this.#saved.delete(shard)
    this.#passed.delete(shard)
  }
}

const note = (positions: ByShard, reader: string, shard: number, position: TailPosition): void => {
  const ofShard = positions.get(shard) ?? new Map<string, TailPosition>()
  positions.set(shard, ofShard.set(reader, position))
}
