import type { EventStream, StreamHandler, StreamListener, StreamRecord } from '../ports/stream.ts'

/** No subscriber takes the records at the moment; they stay in the journal and are published again. */
export class StreamAway extends Error {
  override readonly name = 'StreamAway'
  readonly retryable = true
}

/**
 * The stream of a single process. It stores nothing: a record is published when every group has handled it. Until then
 * the journal is the queue, and the publisher's position the only thing to remember.
 */
export class InProcessStream implements EventStream {
  readonly #groups = new Map<string, StreamHandler[]>()
  readonly #listeners = new Set<StreamListener>()
  readonly #underWay = new Set<Promise<void>>()
  #turn = 0

  async publish(records: readonly StreamRecord[]): Promise<void> {
    if (this.#groups.size === 0) throw new StreamAway('the stream has no subscriber')
    const handling = this.#hand(records)
    this.#underWay.add(handling)
    try {
      await handling
    } finally {
      this.#underWay.delete(handling)
    }
    // Listeners hear of published records only, or they would hear one again with every repetition.
    for (const listener of this.#listeners) listener(records)
  }

  async subscribe(group: string, handler: StreamHandler): Promise<AsyncDisposable> {
    const members = this.#groups.get(group) ?? []
    this.#groups.set(group, members)
    members.push(handler)
    return {
      [Symbol.asyncDispose]: async () => {
        const at = members.indexOf(handler)
        if (at >= 0) members.splice(at, 1)
        await this.#settled()
      },
    }
  }

  async listen(listener: StreamListener): Promise<AsyncDisposable> {
    this.#listeners.add(listener)
    return {
      [Symbol.asyncDispose]: async () => void this.#listeners.delete(listener),
    }
  }

  async probe(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#groups.clear()
    this.#listeners.clear()
    await this.#settled()
  }

  async #hand(records: readonly StreamRecord[]): Promise<void> {
    const turn = this.#turn++
    const handlers = [...this.#groups.values()].map((members) => members[turn % members.length])
    await Promise.all(
      handlers.map((handler) => {
        // A group whose last member has left still needs the records.
        if (handler === undefined) throw new StreamAway('a group of the stream has no member')
        return handler(records)
      }),
    )
  }

  async #settled(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }
}
