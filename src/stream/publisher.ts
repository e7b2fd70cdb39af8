import { SHARD_COUNT } from '../domain/references.ts'
import type { ParkedPart } from '../ports/parking.ts'
import { ShardPublisher, type PublisherParts } from './shard-publisher.ts'

const LOOK_FOR_SHARDS_MS = 250

/** Publishes the events of the shards that are open in this process; a shard that moves takes its position with it. */
export class Publisher implements AsyncDisposable {
  readonly #parts: PublisherParts
  readonly #isOpen: (shard: number) => boolean
  readonly #followed = new Map<number, ShardPublisher>()
  readonly #ending = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  readonly #unsubscribe: () => void

  constructor(parts: PublisherParts, isOpen: (shard: number) => boolean) {
    this.#parts = parts
    this.#isOpen = isOpen
    this.#unsubscribe = parts.journal.onCommitted((shard) => this.#followed.get(shard)?.wake())
    this.#running = this.#run()
  }

  get shards(): number {
    return this.#followed.size
  }

  /** How many records of the shards that are open here a part goes on without. */
  parked(part: ParkedPart): number {
    return [...this.#followed.values()].reduce((sum, each) => sum + each.parked(part), 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#running
    this.#unsubscribe()
    for (const shard of this.#followed.keys()) this.#leave(shard)
    await Promise.all(this.#ending)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      for (let shard = 0; shard < SHARD_COUNT; shard++) {
        const isFollowed = this.#followed.has(shard)
        if (this.#isOpen(shard) === isFollowed) continue
        if (isFollowed) this.#leave(shard)
        else this.#followed.set(shard, new ShardPublisher(this.#parts, shard))
      }
      await this.#parts.runtime.sleep(LOOK_FOR_SHARDS_MS, signal).catch(() => undefined)
    }
  }

  #leave(shard: number): void {
    const publisher = this.#followed.get(shard)
    if (publisher === undefined) return
    this.#followed.delete(shard)
    const ending = publisher[Symbol.asyncDispose]().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}
