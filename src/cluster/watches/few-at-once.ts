type Runs = { running: number; next: PromiseWithResolvers<boolean> | null }

/** Work for one key goes on a few times at once; what is asked for beyond that is done together, once, afterwards. */
export class FewAtOnce {
  readonly #max: number
  readonly #of = new Map<string, Runs>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#of.size
  }

  /** `work` must not reject. */
  run(key: string, work: () => Promise<boolean>): Promise<boolean> {
    const runs = this.#of.get(key) ?? { running: 0, next: null }
    this.#of.set(key, runs)
    if (runs.running < this.#max) return this.#begin(key, runs, work)
    runs.next ??= Promise.withResolvers()
    return runs.next.promise
  }

  async #begin(key: string, runs: Runs, work: () => Promise<boolean>): Promise<boolean> {
    runs.running += 1
    const outcome = await work()
    runs.running -= 1
    const { next } = runs
    runs.next = null
    if (next !== null) void this.#begin(key, runs, work).then(next.resolve)
    else if (runs.running === 0) this.#of.delete(key)
    return outcome
  }
}
