import { type Clock, SameDelay } from './same-delay.ts'

/**
 * Work that may take so long, the same for all of it: no timer and no signal for each, which cost more than most of the
 * work. What is over is kept in mind until its time would have been up.
 */
export class SameLimit {
  readonly #limits: SameDelay

  constructor(clock: Clock, limitMs: number) {
    this.#limits = new SameDelay(clock, limitMs)
  }

  /** The outcome of the work, or `late` where that comes first. */
  within<Value>(work: Promise<Value>, late: Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject)
      this.#limits.add(() => resolve(late))
    })
  }

  /** Whatever runs is late. */
  end(): void {
    this.#limits.end()
  }
}
