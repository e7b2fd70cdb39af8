/** How many command ids an actor remembers; a repetition that comes later than this many others is decided anew. */
export const RECENT_COMMANDS_MAX = 64

/** Clients vary their ids at the end. */
const HASHED_CHARACTERS = 12

/** Of most actors, which live from a few commands. */
const CAPACITY_FIRST = 8
/** Beyond those that are remembered anyway: what is looked through for every command stays short. */
const CAPACITY_STEP = 8

const NO_HASH = -1

/**
 * Ids of the last commands that had events, the uncommitted ones at the end, so that a discarded suffix can be cut
 * off; only a commit pushes the oldest out. Small hashes beside the ids: every command is looked up, and comparing
 * numbers is many times cheaper than comparing texts, at a fraction of the memory of a set. Both are rings, so that
 * remembering and forgetting move nothing.
 */
export class RecentCommands {
  /** What stands where there is no hash is left over. */
  #ids: (string | null)[] = []
  #hashes: number[] = []
  #first = 0
  #count = 0
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
    if (this.#count > 0 && this.#ids[this.#at(this.#count - 1)] === commandId) return
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
    this.#count--
    this.#uncommitted--
    this.#hashes[this.#at(this.#count)] = NO_HASH
  }

  committed(): readonly string[] {
    const ids: string[] = []
    const count = this.#count - this.#uncommitted
    for (let index = Math.max(0, count - RECENT_COMMANDS_MAX); index < count; index++) {
      const id = this.#ids[this.#at(index)]
      if (typeof id === 'string') ids.push(id)
    }
    return ids
  }

  #at(index: number): number {
    const at = this.#first + index
    return at < this.#ids.length ? at : at - this.#ids.length
  }

  #push(commandId: string): void {
    if (this.#count === this.#ids.length) this.#grow()
    const at = this.#at(this.#count++)
    this.#ids[at] = commandId
    this.#hashes[at] = hashOf(commandId)
  }

  #forget(): void {
    if (this.#count - this.#uncommitted <= RECENT_COMMANDS_MAX) return
    this.#hashes[this.#first] = NO_HASH
    this.#first = this.#at(1)
    this.#count--
  }

  /** As a list that begins at its beginning. */
  #grow(): void {
    const size = this.#ids.length
    const capacity = Math.max(CAPACITY_FIRST, size < RECENT_COMMANDS_MAX ? 2 * size : size + CAPACITY_STEP)
    const from = this.#first
    const empty = capacity - size
    this.#ids = [...this.#ids.slice(from), ...this.#ids.slice(0, from), ...Array<null>(empty).fill(null)]
    this.#hashes = [
      ...this.#hashes.slice(from),
      ...this.#hashes.slice(0, from),
      ...Array<number>(empty).fill(NO_HASH),
    ]
    this.#first = 0
  }
}

/** A command is looked up and then remembered. */
let hashedLast = ''
let hashLast = 0

/** Fits a small integer. */
const hashOf = (text: string): number => {
  if (text === hashedLast) return hashLast
  let hash = text.length
  for (let at = Math.max(0, text.length - HASHED_CHARACTERS); at < text.length; at++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x3fffffff
  }
  hashedLast = text
  hashLast = hash
  return hash
}
