/** How many command ids an actor remembers; a repetition that comes later than this many others is decided as if it were new. */
export const RECENT_COMMANDS_MAX = 64

/**
 * Ids of the last commands that had events, in their order, the uncommitted ones at the end: only a commit pushes the
 * oldest out, so that a failed append can take the newest back.
 */
export class RecentCommands {
  readonly #ids = new Set<string>()
  #uncommitted = 0

  has(commandId: string): boolean {
    return this.#ids.has(commandId)
  }

  /** It is committed already and was found at recovery, once for each of its events. */
  restore(commandId: string): void {
    this.#ids.add(commandId)
    this.#forgetOldest()
  }

  add(commandId: string): void {
    this.#ids.add(commandId)
    this.#uncommitted++
  }

  commitOldest(): void {
    this.#uncommitted--
    this.#forgetOldest()
  }

  discardNewest(commandId: string): void {
    this.#ids.delete(commandId)
    this.#uncommitted--
  }

  committed(): readonly string[] {
    return [...this.#ids].slice(0, this.#ids.size - this.#uncommitted).slice(-RECENT_COMMANDS_MAX)
  }

  #forgetOldest(): void {
    if (this.#ids.size - this.#uncommitted <= RECENT_COMMANDS_MAX) return
    const [oldest] = this.#ids
    if (oldest !== undefined) this.#ids.delete(oldest)
  }
}
