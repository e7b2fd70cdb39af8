const KEPT_MAX = 2_000

/** The events that were heard lately. After a connection was lost, one may come again. */
export class SeenEvents {
  /** In the order in which they came. */
  readonly #ids = new Set<string>()

  /** Whether this is the first time. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > KEPT_MAX && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }
}
