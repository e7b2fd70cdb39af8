type Ping = { readonly number: number; readonly heard: () => void }

/** Pings that are not answered yet, oldest first. An answer is for the one it names and for all before it. */
export class WaitingPings {
  #waiting: Ping[] = []
  #last = 0

  get count(): number {
    return this.#waiting.length
  }

  /** What the ping carries. */
  next(heard: (() => void) | null): string {
    this.#last += 1
    if (heard !== null) this.#waiting.push({ number: this.#last, heard })
    return String(this.#last)
  }

  /** The other side may send whatever it likes unasked; what no ping carried yet answers none. */
  answered(said: Uint8Array): void {
    const number = said.byteLength > DIGITS_MAX ? Number.NaN : Number(Buffer.from(said).toString('latin1'))
    if (!(number <= this.#last)) return
    const from = this.#waiting.findIndex((ping) => ping.number > number)
    const answered = this.#waiting.splice(0, from === -1 ? this.#waiting.length : from)
    for (const { heard } of answered) heard()
  }

  forget(): void {
    this.#waiting = []
  }
}

const DIGITS_MAX = 15
