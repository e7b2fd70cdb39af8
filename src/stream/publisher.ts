import { SHARD_COUNT } from '../domain/references.ts'
import type { ParkedPart } from '../ports/parking.ts'
import { ShardPublisher, type PublisherParts } from './shard-publisher.ts'

/** Finds commits, and shards, that this process was not notified of. */
const LOOK_EVERY_MS = 30_000

export type ShardsHere = {
  readonly isOpen: (shard: number) => boolean
  /** Calls back when a shard was opened here, and when one is open no longer. */
  readonly onShards: (listener: () => void) => () => void
}

/** Publishes the events of the shards that are open in this process; a shard that moves takes its position with it. */
export class Publisher implements AsyncDisposable {
  readonly #parts: PublisherParts
  readonly #here: ShardsHere
  readonly #followed = new Map<number, ShardPublisher>()
  readonly #ending = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  readonly #unsubscribe: readonly (() => void)[]

  constructor(parts: PublisherParts, here: ShardsHere) {
    this.#parts = parts
    this.#here = here
    this.#unsubscribe = [
      parts.journal.onCommitted((shard) => this.#followed.get(shard)?.wake()),
      here.onShards(() => this.#follow()),
    ]
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
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    for (const shard of this.#followed.keys()) this.#leave(shard)
    await Promise.all(this.#ending)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      this.#follow()
      for (const each of this.#followed.values()) each.wake()
      await this.#parts.runtime.sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
    }
  }

  #follow(): void {
    if (this.#stopped.signal.aborted) return
    for (let shard = 0; shard < SHARD_COUNT; shard++) {
      const isFollowed = this.#followed.has(shard)
      if (this.#here.isOpen(shard) === isFollowed) continue
      if (isFollowed) this.#leave(shard)
      else this.#followed.set(shard, new ShardPublisher(this.#parts, shard))
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
