export type Taken = 'taken' | 'body_too_large' | 'body_memory_full'

/** The memory all unfinished request bodies share, so that many slow uploads together can't exhaust the process. */
export class BodyMemory {
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  claim(bodyBytesMax: number): BodyBuffer {
    return new BodyBuffer(this, bodyBytesMax)
  }

  reserve(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false
    this.#bytes += bytes
    return true
  }

  free(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** One body on its way in. Every path ends in `take` or `release`, which may be repeated. */
export class BodyBuffer {
  readonly #memory: BodyMemory
  readonly #bytesMax: number
  #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(memory: BodyMemory, bytesMax: number) {
    this.#memory = memory
    this.#bytesMax = bytesMax
  }

  /** Copies the chunk, because servers reuse their receive buffers; `slice` would not, on a Buffer. */
  add(chunk: Uint8Array): Taken {
    if (this.#bytes + chunk.byteLength > this.#bytesMax) return 'body_too_large'
    if (!this.#memory.reserve(chunk.byteLength)) return 'body_memory_full'
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
    this.#memory.free(this.#bytes)
    this.#bytes = 0
    this.#chunks = []
  }
}
