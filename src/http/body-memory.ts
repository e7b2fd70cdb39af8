export type Taken = 'taken' | 'body_too_large' | 'body_memory_full'

/** The memory all unfinished request bodies share, so that many slow uploads together can't exhaust the process. */
export class BodyMemory {
  readonly #bytesMax: number
  #bytes = 0
  #anybodysBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  claim(bodyBytesMax: number, isForAnybody: boolean): BodyBuffer {
    return new BodyBuffer(this, bodyBytesMax, isForAnybody)
  }

  /** Those who need no credential have half of it, so that the other half stays for those who have one. */
  reserve(bytes: number, isForAnybody: boolean): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false
    if (isForAnybody && this.#anybodysBytes + bytes > this.#bytesMax / 2) return false
    this.#bytes += bytes
    if (isForAnybody) this.#anybodysBytes += bytes
    return true
  }

  free(bytes: number, isForAnybody: boolean): void {
    this.#bytes -= bytes
    if (isForAnybody) this.#anybodysBytes -= bytes
  }
}

/** One body on its way in. Every path ends in `take` or `release`, which may be repeated. */
export class BodyBuffer {
  readonly #memory: BodyMemory
  readonly #bytesMax: number
  readonly #isForAnybody: boolean
  #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(memory: BodyMemory, bytesMax: number, isForAnybody: boolean) {
    this.#memory = memory
    this.#bytesMax = bytesMax
    this.#isForAnybody = isForAnybody
  }

  /** Copies the chunk, because servers reuse their receive buffers; `slice` would not, on a Buffer. */
  add(chunk: Uint8Array): Taken {
    if (this.#bytes + chunk.byteLength > this.#bytesMax) return 'body_too_large'
    if (!this.#memory.reserve(chunk.byteLength, this.#isForAnybody)) return 'body_memory_full'
    this.#bytes += chunk.byteLength
    this.#chunks.push(new Uint8Array(chunk))
    return 'taken'
  }

  take(): Uint8Array {
    const [only] = this.#chunks
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    this.release()
    return whole
  }

  release(): void {
    this.#memory.free(this.#bytes, this.#isForAnybody)
    this.#bytes = 0
    this.#chunks = []
  }
}
