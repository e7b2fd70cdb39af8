/** Large enough for the layout of a usual slot; the buffer grows when it is not. */
const FIRST_BYTES = 4_096
const NUMBER_BYTES_MAX = 8

/**
 * Writes the layout of a row as whole numbers of variable length: seven bits a byte, the lowest first. Decimal text
 * would cost ten times as much to write and twice the room.
 */
export class LayoutWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #used = 0

  /** Begins a layout, and drops one that a failure left unfinished. */
  begin(): void {
    this.#used = 0
  }

  add(number: number): void {
    if (this.#used + NUMBER_BYTES_MAX > this.#bytes.length) this.#grow()
    let rest = number
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) this.#bytes[this.#used++] = (rest % 128) | 0x80
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#used++] = (rest & 127) | 0x80
    this.#bytes[this.#used++] = rest
  }

  /** The bytes since `begin`; valid until the next `begin`. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#used)
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.#bytes.length * 2)
    this.#bytes.copy(larger, 0, 0, this.#used)
    this.#bytes = larger
  }
}

export class LayoutReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  next(): number {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new Error('the layout of a row in the journal file ends too early')
      number += (byte & 127) * scale
      if (byte < 128) return number
    }
  }
}
