/** What became of the asks that this node's own actors did not answer at once; sums are since the start. */
export type AskCounts = {
  /** Requests to other nodes, repetitions included, and those that other nodes sent here. */
  readonly hops: number
  readonly answeredForOthers: number
  /** Tries that ended without an outcome: a wrong owner, a lost connection. */
  readonly retries: number
  /** Asks that had to wait until somebody served their shard, and for how long all of them together. */
  readonly waits: number
  readonly waitedMs: number
  /** The longest wait that ended in the last one to two minutes. */
  readonly longestWaitMs: number
  /** Refused because too much waited. */
  readonly overloaded: number
  readonly waitingNow: number
  readonly inFlightNow: number
}

const WINDOW_MS = 60_000

/** The longest wait of this window and the one before it. */
export class LongestWait {
  #beganMs = 0
  #present = 0
  #before = 0

  ended(waitedMs: number, nowMs: number): void {
    this.#moveOn(nowMs)
    this.#present = Math.max(this.#present, waitedMs)
  }

  atMs(nowMs: number): number {
    this.#moveOn(nowMs)
    return Math.max(this.#present, this.#before)
  }

  #moveOn(nowMs: number): void {
    const windows = Math.floor((nowMs - this.#beganMs) / WINDOW_MS)
    if (windows < 1) return
    this.#before = windows === 1 ? this.#present : 0
    this.#present = 0
    this.#beganMs += windows * WINDOW_MS
  }
}
