/** Which shards this node's file has as their owners have them, but for what changed a moment ago. */
export class Whole {
  readonly #is: Uint8Array

  constructor(shards: number) {
    this.#is = new Uint8Array(shards)
  }

  has(shard: number): boolean {
    return this.#is[shard] === 1
  }

  set(shard: number, isWhole = true): void {
    this.#is[shard] = isWhole ? 1 : 0
  }

  none(): void {
    this.#is.fill(0)
  }

  areAll(): boolean {
    return this.#is.every((is) => is === 1)
  }
}
