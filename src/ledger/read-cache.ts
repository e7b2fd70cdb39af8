/** Least recently used, bounded; callers who ask for the same thing at once share one read. Nulls and failures are not kept. */
export class ReadCache<Value> {
  readonly #kept = new Map<string, Value>()
  readonly #running = new Map<string, Promise<Value | null>>()
  readonly #fetch: (id: string) => Promise<Value | null>
  readonly #max: number

  constructor(fetch: (id: string) => Promise<Value | null>, max: number) {
    this.#fetch = fetch
    this.#max = max
  }

  get(id: string): Promise<Value | null> {
    const kept = this.#kept.get(id)
    if (kept !== undefined) {
      this.#kept.delete(id)
      this.#kept.set(id, kept)
      return Promise.resolve(kept)
    }
    const running = this.#running.get(id)
    if (running) return running
    const reading = this.#read(id).finally(() => this.#running.delete(id))
    this.#running.set(id, reading)
    return reading
  }

  async #read(id: string): Promise<Value | null> {
    const value = await this.#fetch(id)
    if (value === null) return null
    this.#kept.set(id, value)
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > this.#max && oldest !== undefined) this.#kept.delete(oldest)
    return value
  }
}
