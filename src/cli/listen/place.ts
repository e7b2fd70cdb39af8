/**
 * The event behind which another run goes on: everything up to it has been dealt with. What is still to be tried again is
 * before that place, so that it comes once more rather than never.
 */
export class Place {
  #last: string | null
  /** Of each event that is not settled, the one before it; in the order in which they came. */
  readonly #before = new Map<string, string | null>()

  constructor(last: string | null) {
    this.#last = last
  }

  /** Null where it is the beginning, which has no name. */
  get last(): string | null {
    const [oldest] = this.#before.values()
    return oldest === undefined ? this.#last : oldest
  }

  begin(id: string): void {
    this.#before.set(id, this.#last)
    this.#last = id
  }

  settle(id: string): void {
    this.#before.delete(id)
  }
}
