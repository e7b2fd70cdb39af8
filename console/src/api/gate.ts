/** What a person has to show before a request can go on. */
export type Wanted = 'sign-in' | 'step-up'

type Waiting = {
  readonly wanted: Wanted
  readonly passed: Promise<boolean>
  readonly settle: (passed: boolean) => void
}

/**
 * Where requests wait while a person signs in again or shows a fresh code. The page that made the request waits with it,
 * unchanged, so nothing that was typed is lost.
 */
export class Gate {
  #waiting: Waiting | null = null
  readonly #listeners = new Set<() => void>()

  get wanted(): Wanted | null {
    return this.#waiting?.wanted ?? null
  }

  /** Resolves with whether it was shown. Requests that come meanwhile wait for the same. */
  async pass(wanted: Wanted): Promise<boolean> {
    const already = this.#waiting
    if (already !== null) {
      const passed = await already.passed
      // A sign-in shows the second factor too.
      if (already.wanted === wanted || already.wanted === 'sign-in' || !passed) return passed
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#waiting = { wanted, passed: promise, settle: resolve }
    this.#tell()
    return promise
  }

  settle(passed: boolean): void {
    const waiting = this.#waiting
    this.#waiting = null
    this.#tell()
    waiting?.settle(passed)
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
