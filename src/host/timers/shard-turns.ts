import { type Forgetful, ForgetTurns } from './forget-turns.ts'

type Ticked = Forgetful & {
  tick(nowMs: number): void
  /** When it has something to do next, by the time of day. */
  readonly nextMs: number
}

/** What is due in the shards of a host. */
export class ShardTurns {
  readonly #forgetTurns = new ForgetTurns()

  /** Answers with when something is due next. */
  tick(shards: { values(): Iterable<Ticked> }, nowMs: number): number {
    for (const shard of shards.values()) shard.tick(nowMs)
    this.#forgetTurns.tick(shards.values(), nowMs)
    let next = Number.POSITIVE_INFINITY
    for (const shard of shards.values()) next = Math.min(next, shard.nextMs)
    return next
  }
}
