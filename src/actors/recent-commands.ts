/** How many command ids an actor remembers; a repetition that comes later than this many others is decided anew. */
export const RECENT_COMMANDS_MAX = 64

/**
 * Ids of the last commands that had events, the uncommitted ones at the end, so that a discarded suffix can be cut
 * off; only a commit pushes the oldest out.
 */
export class RecentCommands {
  readonly #ids: string[] = []
  #uncommitted = 0

  has(commandId: string): boolean {
    return this.#ids.includes(commandId)
  }

  /** One that is committed already, found at recovery. */
  restore(commandId: string): void {
    if (this.#ids.at(-1) === commandId) return
    this.#ids.push(commandId)
    this.#forget()
  }

  add(commandId: string): void {
    this.#ids.push(commandId)
    this.#uncommitted++
  }

  commitOldest(): void {
    this.#uncommitted--
    this.#forget()
  }

  discardNewest(): void {
    this.#ids.pop()
    this.#uncommitted--
  }

  committed(): readonly string[] {
    return this.#ids.slice(0, this.#ids.length - this.#uncommitted)
  }

  #forget(): void {
    const surplus = this.#ids.length - this.#uncommitted - RECENT_COMMANDS_MAX
    if (surplus > 0) this.#ids.splice(0, surplus)
  }
}
