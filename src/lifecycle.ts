type Step = { readonly name: string; readonly stop: () => PromiseLike<void> }

/**
 * What was opened, in order, to be closed in the opposite one. Node 22 runs these sources as they are and can't parse
 * `await using`, so this is its stack in plain words.
 */
export class Lifecycle {
  readonly #steps: Step[] = []

  add(name: string, stop: () => PromiseLike<void>): void {
    this.#steps.push({ name, stop })
  }

  /** Adds what can close itself, and hands it back. */
  use<Opened extends AsyncDisposable>(name: string, opened: Opened): Opened {
    this.add(name, () => opened[Symbol.asyncDispose]())
    return opened
  }

  /** Every step gets its chance, also when one before it failed. */
  async end(failed: (name: string, error: unknown) => void): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.stop()
      } catch (error) {
        failed(step.name, error)
      }
    }
  }
}
