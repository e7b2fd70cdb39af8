/** How many command ids an actor remembers; a repetition that comes later than this many others is decided anew. */
export const RECENT_COMMANDS_MAX = 64

const FORGOTTEN_AT_ONCE = 32

/** Clients vary their ids at the end. */
const HASHED_CHARACTERS = 12

/**
 * Ids of the last commands that had events, the uncommitted ones at the end, so that a discarded suffix can be cut
 * off; only a commit pushes the oldest out. Small hashes beside the ids: every command is looked up, and comparing
 * numbers is many times cheaper than comparing texts, at a fraction of the memory of a set.
 */
export class RecentCommands {
  readonly #ids: string[] = []
  readonly #hashes: number[] = []
  #uncommitted = 0

  has(commandId: string): boolean {
    const hash = hashOf(commandId)
    for (let at = this.#hashes.indexOf(hash); at >= 0; at = this.#hashes.indexOf(hash, at + 1)) {
      if (this.#ids[at] === commandId) return true
    }
    return false
  }

  /** One that is committed already, found at recovery. */
  restore(commandId: string): void {
    if (this.#ids.at(-1) === commandId) return
    this.#push(commandId)
    this.#forget()
  }

  add(commandId: string): void {
    this.#push(commandId)
    this.#uncommitted++
  }

  commitOldest(): void {
    this.#uncommitted--
    this.#forget()
  }

  discardNewest(): void {
    this.#ids.pop()
    this.#hashes.pop()
    this.#uncommitted--
  }

  committed(): readonly string[] {
    return this.#ids.slice(0, this.#ids.length - this.#uncommitted).slice(-RECENT_COMMANDS_MAX)
  }

  #push(commandId: string): void {
    this.#ids.push(commandId)
    this.#hashes.push(hashOf(commandId))
  }

  /** Several at a time: moving all the others for each would cost more than the rest of a commit. */
  #forget(): void {
    const surplus = this.#ids.length - this.#uncommitted - RECENT_COMMANDS_MAX
    if (surplus < FORGOTTEN_AT_ONCE) return
    this.#ids.splice(0, surplus)
    this.#hashes.splice(0, surplus)
  }
}

/** Fits a small integer. */
const hashOf = (text: string): number => {
  let hash = text.length
  for (let at = Math.max(0, text.length - HASHED_CHARACTERS); at < text.length; at++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x3fffffff
  }
  return hash
}
