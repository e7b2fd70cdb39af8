type Run<Input> = (input: Input) => Promise<number>

/** Rebuilds that an operator asked for and that have not begun: one for each shard, the newest. */
export class WaitingRebuilds<Input> {
  readonly #waiting = new Map<
    number,
    { readonly run: Run<Input>; readonly told: PromiseWithResolvers<number> }
  >()

  /** Resolves with what the run brings, and rejects where it is given up before. */
  add(shard: number, run: Run<Input>): Promise<number> {
    this.giveUp(shard)
    const told = Promise.withResolvers<number>()
    this.#waiting.set(shard, { run, told })
    return told.promise
  }

  has(shard: number): boolean {
    return this.#waiting.has(shard)
  }

  /** Runs the one of the shard, if there is one; its failure is told to whoever waits for it alone. */
  async run(shard: number, input: Input): Promise<void> {
    const found = this.#waiting.get(shard)
    if (found === undefined) return
    this.#waiting.delete(shard)
    await found.run(input).then(found.told.resolve, found.told.reject)
  }

  giveUp(shard: number): void {
    this.#waiting.get(shard)?.told.reject(new Error('the rebuild of this shard was given up'))
    this.#waiting.delete(shard)
  }

  giveUpAll(): void {
    for (const shard of this.#waiting.keys()) this.giveUp(shard)
  }
}
