/** How many of something each of many has. */
export class Counts {
  sum = 0
  readonly #of = new Map<string, number>()

  of(whose: string): number {
    return this.#of.get(whose) ?? 0
  }

  add(whose: string, count: number): void {
    this.sum += count
    const left = this.of(whose) + count
    if (left > 0) this.#of.set(whose, left)
    else this.#of.delete(whose)
  }
}
