/** How many command ids an actor remembers; a repetition that comes later than this many others is decided as if it were new. */
export const RECENT_COMMANDS_MAX = 64

const FORGOTTEN_AT_ONCE = 16

/** The end of an id is what clients vary. */
const HASHED_CHARACTERS = 12

/**
 * Ids of the last commands that had events, in their order, the uncommitted ones at the end: only a commit pushes the
 * oldest out, so that a discarded decision can take the newest back. Every command is looked up here; small hashes
 * beside the ids make that half as dear as a set, whose memory is spread out.
 */
export class RecentCommands {
  #ids: string[] = []
  #hashes: number[] = []
  /** Those before it are forgotten, and go some at a time. */
  #first = 0
  #uncommitted = 0

  has(commandId: string): boolean {
    const hash = hashOf(commandId)
    for (let at = this.#hashes.indexOf(hash, this.#first); at >= 0; at = this.#hashes.indexOf(hash, at + 1)) {
      if (this.#ids[at] === commandId) return true
    }
    return false
  }

  /** It is committed already and was found at recovery, once for each of its events. */
  restore(commandId: string): void {
    if (this.#ids.at(-1) === commandId) return
    this.#push(commandId)
    this.#forgetOldest()
  }

  add(commandId: string): void {
    this.#push(commandId)
    this.#uncommitted++
  }

  commitOldest(): void {
    this.#uncommitted--
    this.#forgetOldest()
  }

  discardNewest(): void {
    this.#ids.pop()
    this.#hashes.pop()
    this.#uncommitted--
  }

  committed(): readonly string[] {
    return this.#ids.slice(this.#first, this.#ids.length - this.#uncommitted)
  }

  #push(commandId: string): void {
    const hash = hashOf(commandId)
    if (this.#ids.length === 0) {
      // Lists that begin with their first item have the right size for the many actors that handle one command.
      this.#ids = [commandId]
      this.#hashes = [hash]
    } else {
      this.#ids.push(commandId)
      this.#hashes.push(hash)
    }
  }

  #forgetOldest(): void {
    if (this.#ids.length - this.#uncommitted - this.#first <= RECENT_COMMANDS_MAX) return
    if (++this.#first < FORGOTTEN_AT_ONCE) return
    this.#ids.splice(0, FORGOTTEN_AT_ONCE)
    this.#hashes.splice(0, FORGOTTEN_AT_ONCE)
    this.#first = 0
  }
}

/** The hash fits a small integer, which a list holds without an object. */
const hashOf = (text: string): number => {
  let hash = text.length
  for (let at = Math.max(0, text.length - HASHED_CHARACTERS); at < text.length; at++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x3fffffff
  return hash
}
