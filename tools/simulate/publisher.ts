import type { Journal, TailPosition } from '../../src/ports/journal.ts'
import { PUBLISHER } from './model-store.ts'
import type { Outside } from './outside.ts'
import type { SimulatedProcess } from './simulated-process.ts'

const PAUSE_MS = 4_000

/** Follows the log of the shards that its process serves, as the event stream does; positions survive in the store. */
export class Publisher {
  readonly #journal: Journal
  readonly #process: SimulatedProcess
  readonly #outside: Outside
  readonly #shardCount: number
  readonly #serves: (shard: number) => boolean
  readonly #stop = new AbortController()

  constructor(
    { outside, shardCount }: { readonly outside: Outside; readonly shardCount: number },
    journal: Journal,
    process: SimulatedProcess,
    serves: (shard: number) => boolean,
  ) {
    this.#journal = journal
    this.#process = process
    this.#outside = outside
    this.#shardCount = shardCount
    this.#serves = serves
  }

  start(): void {
    for (let shard = 0; shard < this.#shardCount; shard++) void this.#follow(shard)
  }

  stop(): void {
    this.#stop.abort(new Error('stopped'))
  }

  async #follow(shard: number): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      if (this.#serves(shard)) await this.#publish(shard).catch(() => {})
      await this.#process.runtime.sleep(PAUSE_MS, signal).catch(() => {})
    }
  }

  async #publish(shard: number): Promise<void> {
    let position: TailPosition | null = await this.#journal.readPosition(PUBLISHER, shard)
    for (;;) {
      const records = await this.#journal.readTail(shard, position, 3)
      const last = records.at(-1)
      if (last === undefined || !this.#process.acts()) return
      this.#outside.published(shard, position, records)
      position = { no: last.no, index: last.index }
      await this.#journal.savePosition(PUBLISHER, shard, position)
    }
  }
}
