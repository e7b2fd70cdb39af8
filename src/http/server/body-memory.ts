import { limits } from '../../domain/limits.ts'

export type Taken = 'taken' | 'body_too_large' | 'body_memory_full'

/** The memory all unfinished request bodies share, so that many slow uploads together can't exhaust the process. */
export class BodyMemory {
  readonly #bytesMax: number
  readonly #bytesOfNetworkMax: number
  #bytes = 0
  #strangersBytes = 0
  /** Of requests without a credential, by where they come from. */
  readonly #ofNetworks = new Map<string, number>()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#bytesOfNetworkMax = Math.max(limits.envelopeBytesMax, bytesMax / NETWORKS)
  }

  get bytes(): number {
    return this.#bytes
  }

  claim(bodyBytesMax: number, strangerFrom: string | null): BodyBuffer {
    return new BodyBuffer(this, bodyBytesMax, strangerFrom)
  }

  /**
   * Requests without a credential may take half of the memory, so that the other half stays for callers who have one;
   * and those of one network a part of that, so that the rest stays for other networks.
   */
  reserve(bytes: number, strangerFrom: string | null): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false
    if (strangerFrom !== null) {
      const ofNetwork = (this.#ofNetworks.get(strangerFrom) ?? 0) + bytes
      if (this.#strangersBytes + bytes > this.#bytesMax / 2) return false
      if (ofNetwork > this.#bytesOfNetworkMax) return false
      this.#strangersBytes += bytes
      this.#ofNetworks.set(strangerFrom, ofNetwork)
    }
    this.#bytes += bytes
    return true
  }

  free(bytes: number, strangerFrom: string | null): void {
    this.#bytes -= bytes
    if (strangerFrom === null) return
    this.#strangersBytes -= bytes
    const ofNetwork = (this.#ofNetworks.get(strangerFrom) ?? 0) - bytes
    if (ofNetwork > 0) this.#ofNetworks.set(strangerFrom, ofNetwork)
    else this.#ofNetworks.delete(strangerFrom)
  }
}

/** Half as many networks as this, each with its whole part, take all that is there for requests without a credential. */
const NETWORKS = 32

/** Pieces after the first are copied into blocks: kept by itself, a piece of one byte would cost two hundred. */
const [BLOCK_FIRST_BYTES, BLOCK_BYTES_MAX] = [4_096, 65_536]

/**
 * One body while it arrives, charged with all the memory it takes. Every path ends in `take` or `release`; either may
 * be called again.
 */
export class BodyBuffer {
  readonly #memory: BodyMemory
  readonly #bytesMax: number
  readonly #strangerFrom: string | null
  #blocks: Uint8Array[] = []
  #bytes = 0
  /** Bytes of all blocks; the last block may have room left. */
  #capacity = 0

  constructor(memory: BodyMemory, bytesMax: number, strangerFrom: string | null) {
    this.#memory = memory
    this.#bytesMax = bytesMax
    this.#strangerFrom = strangerFrom
  }

  /**
   * Copies the chunk, because servers reuse their receive buffers. `isLarge`: the body has a place among the large
   * ones, of which there are few.
   */
  add(chunk: Uint8Array, isLarge = false): Taken {
    if (this.#bytes + chunk.byteLength > this.#bytesMax) return 'body_too_large'
    if (isLarge && this.#capacity < this.#bytesMax && !this.#takeAllRoom()) return 'body_memory_full'
    const inLast = Math.min(chunk.byteLength, this.#capacity - this.#bytes)
    const rest = chunk.byteLength - inLast
    const more = rest === 0 ? 0 : this.#nextBlock(rest)
    if (more > 0 && !this.#memory.reserve(more, this.#strangerFrom)) return 'body_memory_full'
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
    this.#memory.free(this.#capacity, this.#strangerFrom)
    this.#capacity = 0
    this.#bytes = 0
    this.#blocks = []
  }

  /** One block for all that may come, so that megabytes need not be put together again at the end. */
  #takeAllRoom(): boolean {
    if (!this.#memory.reserve(this.#bytesMax - this.#capacity, this.#strangerFrom)) return false
    const whole = Buffer.allocUnsafeSlow(this.#bytesMax)
    let at = 0
    for (const block of this.#blocks) {
      whole.set(block.subarray(0, this.#bytes - at), at)
      at += block.byteLength
    }
    this.#blocks = [whole]
    this.#capacity = this.#bytesMax
    return true
  }

  /** The first block is as large as its piece, which nearly always is the whole body. */
  #nextBlock(atLeast: number): number {
    if (this.#capacity === 0) return atLeast
    const block = Math.min(Math.max(this.#capacity, BLOCK_FIRST_BYTES), BLOCK_BYTES_MAX)
    return Math.min(Math.max(block, atLeast), this.#bytesMax - this.#capacity)
  }
}
