/**
 * Peers deliver at least once. The copy of a message that comes while the first is still at work would find the
 * exchange as the first had found it, and the credential would be kept twice; so a thread has one message at a time.
 */
export class ThreadOrder {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Value>(threadId: string, work: () => Promise<Value>): Promise<Value> {
    const mine = (this.#last.get(threadId) ?? Promise.resolve()).then(work)
    const over = mine.catch(() => undefined)
    this.#last.set(threadId, over)
    try {
      return await mine
    } finally {
      if (this.#last.get(threadId) === over) this.#last.delete(threadId)
    }
  }
}
