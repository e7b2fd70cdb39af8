/** Listens to what passes on the ways between nodes for texts that nobody may read there. */
export class Wiretap {
  readonly #texts: readonly Buffer[]
  readonly #longest: number
  readonly #heard = new Map<string, number>()
  /** All that passed, in every direction. */
  bytes = 0

  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => Buffer.from(text))
    this.#longest = Math.max(0, ...this.#texts.map(({ length }) => length))
  }

  /** One direction of one connection. A text may come in pieces, so the end of what came before is kept. */
  ear(way: string): (bytes: Buffer) => void {
    let before = Buffer.alloc(0)
    return (bytes) => {
      this.bytes += bytes.length
      const both = Buffer.concat([before, bytes])
      for (const text of this.#texts) {
        // What stood in the part before as a whole was heard with it.
        const from = Math.max(0, before.length - text.length + 1)
        if (both.includes(text, from)) this.#heard.set(way, (this.#heard.get(way) ?? 0) + 1)
      }
      before = both.subarray(Math.max(0, both.length - this.#longest + 1))
    }
  }

  /** One sentence for each way, and one where nothing was heard at all, which proves nothing. */
  get problems(): readonly string[] {
    const heard = [...this.#heard].map(
      ([way, times]) => `${way}: a text that is secret passed in clear ${times} times`,
    )
    return this.bytes === 0 ? [...heard, 'nothing passed between the nodes'] : heard
  }
}
