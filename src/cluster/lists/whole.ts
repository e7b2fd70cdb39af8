type Session = () => string | null

/**
 * Which shards this node's file has as their owners have them, but for what changed a moment ago. It is known for as
 * long as the node has the same lease: what changes while it counts as dead, nobody keeps for it.
 */
export class Whole {
  readonly #is: Uint8Array
  readonly #session: Session
  #by: string | null = null

  constructor(shards: number, session: Session) {
    this.#is = new Uint8Array(shards)
    this.#session = session
  }

  has(shard: number): boolean {
    return this.#now()[shard] === 1
  }

  /** With the session in which the owner was asked; a later one makes nothing of it. */
  set(shard: number, by: string | null = this.#session()): void {
    if (by === this.#session()) this.#now()[shard] = 1
  }

  unset(shard: number): void {
    this.#now()[shard] = 0
  }

  areAll(): boolean {
    return this.#now().every((is) => is === 1)
  }

  #now(): Uint8Array {
    const session = this.#session()
    if (session !== this.#by) this.#is.fill(0)
    this.#by = session
    return this.#is
  }
}
