import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import { ShardHeld } from '../../ports/journal.ts'
import type { Runtime } from '../../ports/runtime.ts'

type Failed = { readonly failures: number; readonly againAtMs: number }

/** Shards that could not be opened here, and when each is tried again. */
export class FailedOpenings {
  readonly #runtime: Pick<Runtime, 'monotonicMs' | 'random'>
  readonly #pauses: Backoff
  readonly #failed = new Map<number, Failed>()

  constructor(runtime: Pick<Runtime, 'monotonicMs' | 'random'>, pauses: Backoff) {
    this.#runtime = runtime
    this.#pauses = pauses
  }

  isToRest(shard: number): boolean {
    return (this.#failed.get(shard)?.againAtMs ?? 0) > this.#runtime.monotonicMs()
  }

  /** Who waits for an owner that has not let go looks again soon: that is no failure. */
  add(shard: number, error: unknown): void {
    const failures = error instanceof ShardHeld ? 0 : (this.#failed.get(shard)?.failures ?? 0) + 1
    const pauseMs = backoffMs(this.#pauses, Math.max(1, failures), this.#runtime.random())
    this.#failed.set(shard, { failures, againAtMs: this.#runtime.monotonicMs() + pauseMs })
  }

  delete(shard: number): void {
    this.#failed.delete(shard)
  }
}
