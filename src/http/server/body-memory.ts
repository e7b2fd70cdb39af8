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

  /**
   * Requests without a credential may take half of the memory, so that the other half stays for callers who have one.
   */
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

/** Pieces after the first are copied into blocks: kept by itself, a piece of one byte would cost two hundred. */
const [BLOCK_FIRST_BYTES, BLOCK_BYTES_MAX] = [4_096, 65_536]

/**
 * One body while it arrives, charged with all the memory it takes. Every path ends in `take` or `release`; either may
 * be called again.
 */
export class BodyBuffer {
  readonly #memory: BodyMemory
  readonly #bytesMax: number
  readonly #isForAnybody: boolean
  #blocks: Uint8Array[] = []
  #bytes = 0
  /** Bytes of all blocks; the last block may have room left. */
  #capacity = 0

  constructor(memory: BodyMemory, bytesMax: number, isForAnybody: boolean) {
    this.#memory = memory
    this.#bytesMax = bytesMax
    this.#isForAnybody = isForAnybody
  }

  /** Copies the chunk, because servers reuse their receive buffers. */
  add(chunk: Uint8Array): Taken {
    if (this.#bytes + chunk.byteLength > this.#bytesMax) return 'body_too_large'
    const inLast = Math.min(chunk.byteLength, this.#capacity - this.#bytes)
    const rest = chunk.byteLength - inLast
    const more = rest === 0 ? 0 : this.#nextBlock(rest)
    if (more > 0 && !this.#memory.reserve(more, this.#isForAnybody)) return 'body_memory_full'
    if (inLast > 0) {
      const last = this.#blocks.at(-1)
      last?.set(chunk.subarray(0, inLast), last.byteLength - (this.#capacity - this.#bytes))
    }
    if (more > 0) {
      const block = Buffer.allocUnsafeSlow(more)
      block.set(chunk.subarray(inLast))
      this.#blocks.push(block)
      this.#capacity += more
    }
    this.#bytes += chunk.byteLength
    return 'taken'
  }

  take(): Uint8Array {
    const [only] = this.#blocks
    const isOne = this.#blocks.length === 1 && only !== undefined
    const whole = isOne ? only.subarray(0, this.#bytes) : Buffer.concat(this.#blocks, this.#bytes)
    this.release()
    return whole
  }

  release(): void {
    this.#memory.free(this.#capacity, this.#isForAnybody)
    this.#capacity = 0
    this.#bytes = 0
    this.#blocks = []
  }

  /** The first block is as large as its piece, which nearly always is the whole body. */
  #nextBlock(atLeast: number): number {
    if (this.#capacity === 0) return atLeast
    const block = Math.min(Math.max(this.#capacity, BLOCK_FIRST_BYTES), BLOCK_BYTES_MAX)
    return Math.min(Math.max(block, atLeast), this.#bytesMax - this.#capacity)
  }
}
