/** Seeded and small: the same seed gives the same schedule on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) ^ 0x9e3779b9
    for (let round = 0; round < 4; round++) this.next()
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** A whole number, both limits included. */
  integer(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
}

export const seedFrom = (text: string | undefined): number =>
  text === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(text)
