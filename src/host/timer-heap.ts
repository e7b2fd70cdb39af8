/**
 * A binary heap by time in two plain arrays: a million timers are a million numbers and references, not a million
 * nodes.
 */
export class TimerHeap<Item> {
  readonly #times: number[] = []
  readonly #items: Item[] = []

  get size(): number {
    return this.#times.length
  }

  /** Infinity when there is none. */
  get nextMs(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY
  }

  push(atMs: number, item: Item): void {
    let at = this.#times.length
    this.#times.push(atMs)
    this.#items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#time(parent) <= atMs) break
      this.#move(parent, at)
      at = parent
    }
    this.#times[at] = atMs
    this.#items[at] = item
  }

  pop(): Item | undefined {
    const first = this.#items[0]
    const time = this.#times.pop()
    const item = this.#items.pop()
    if (time === undefined || item === undefined || this.#times.length === 0) return first
    this.#sink(time, item)
    return first
  }

  #sink(time: number, item: Item): void {
    const end = this.#times.length
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= end) break
      if (child + 1 < end && this.#time(child + 1) < this.#time(child)) child++
      if (this.#time(child) >= time) break
      this.#move(child, at)
      at = child
    }
    this.#times[at] = time
    this.#items[at] = item
  }

  #time(index: number): number {
    return this.#times[index] as number
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#time(from)
    this.#items[to] = this.#items[from] as Item
  }
}
