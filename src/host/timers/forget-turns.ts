/** A shard that may have records whose events may go. */
export type Forgetful = {
  hasToForget(nowMs: number): boolean
  /** Begins with so many at most; answers with how many there were. */
  forget(nowMs: number, max: number): number
}

/**
 * Some 1,300 in a second, more than exchanges leave at their fastest. All that a shard has at its turn, hundreds where
 * retention has just been there, would take the event loop for tens of milliseconds, and callers would wait behind that.
 */
export const FORGOTTEN_PER_TICK_MAX = 64

/** Shares each tick among the shards of a process that have something to forget. */
export class ForgetTurns {
  #turn = 0

  tick(shards: Iterable<Forgetful>, nowMs: number): void {
    const due: Forgetful[] = []
    for (const shard of shards) if (shard.hasToForget(nowMs)) due.push(shard)
    if (due.length === 0) return
    // Each is the first in turn: what a tick leaves over would always be that of the same ones.
    const first = this.#turn++ % due.length
    let room = FORGOTTEN_PER_TICK_MAX
    for (const shard of [...due.slice(first), ...due.slice(0, first)]) {
      if (room <= 0) return
      room -= shard.forget(nowMs, room)
    }
  }
}
