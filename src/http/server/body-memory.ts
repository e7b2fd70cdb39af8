import { limits } from '../../domain/limits.ts'

export type Taken = 'taken' | 'body_too_large' | 'body_memory_full'

/** Whose memory a body takes. An organisation, and its place among large bodies, come to be known while it arrives. */
export type Holder = {
  /** Where the request comes from, if it needs no credential. */
  readonly strangerFrom: string | null
  readonly tenant: string | null
  readonly isLarge: boolean
}

/** The memory all unfinished request bodies share, so that many slow uploads together can't exhaust the process. */
export class BodyMemory {
  readonly #bytesMax: number
  readonly #bytesOfLargeMax: number
  #bytes = 0
  #strangersBytes = 0
  #largeBytes = 0
  /** Of requests without a credential, by where they come from. */
  readonly #ofNetworks: Shares
  readonly #ofTenants: Shares

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#bytesOfLargeMax = Math.max(limits.imageBodyBytesMax, bytesMax / 2)
    this.#ofNetworks = new Shares(Math.max(limits.envelopeBytesMax, bytesMax / NETWORKS))
    this.#ofTenants = new Shares(Math.max(limits.imageBodyBytesMax, bytesMax / TENANTS))
  }

  get bytes(): number {
    return this.#bytes
  }

  claim(bodyBytesMax: number, strangerFrom: string | null): BodyBuffer {
    return new BodyBuffer(this, bodyBytesMax, strangerFrom)
  }

  /**
   * Requests without a credential may take half of the memory, so that the other half stays for callers who have one;
   * and those of one network a part of that, so that the rest stays for other networks. One organisation may take a
   * part, all large bodies half, and the last part of all is for small bodies. `held`: what the body has already.
   */
  reserve(bytes: number, { strangerFrom, tenant, isLarge }: Holder, held = 0): boolean {
    const isSmall = held + bytes <= SMALL_BYTES
    if (this.#bytes + bytes > (isSmall ? this.#bytesMax : this.#bytesMax * (1 - FOR_SMALL))) return false
    if (strangerFrom !== null && this.#strangersBytes + bytes > this.#bytesMax / 2) return false
    if (!this.#ofNetworks.hasRoom(bytes, strangerFrom) || !this.#ofTenants.hasRoom(bytes, tenant))
      return false
    if (isLarge && this.#largeBytes + bytes > this.#bytesOfLargeMax) return false
    this.#charge(bytes, { strangerFrom, tenant, isLarge })
    return true
  }

  free(bytes: number, holder: Holder): void {
    this.#charge(-bytes, holder)
  }

  /** False when the other holder may not have what this one has; all stays as it is then. */
  move(bytes: number, from: Holder, to: Holder): boolean {
    this.free(bytes, from)
    // Of the whole memory nothing more is taken, so what is kept for small bodies is not asked about.
    if (this.reserve(bytes, to, -bytes)) return true
    this.#charge(bytes, from)
    return false
  }

  #charge(bytes: number, { strangerFrom, tenant, isLarge }: Holder): void {
    this.#bytes += bytes
    if (strangerFrom !== null) this.#strangersBytes += bytes
    if (isLarge) this.#largeBytes += bytes
    this.#ofNetworks.add(bytes, strangerFrom)
    this.#ofTenants.add(bytes, tenant)
  }
}

/** What each of many has of something, of which it may have so much. */
class Shares {
  readonly #most: number
  readonly #of = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  hasRoom(bytes: number, whose: string | null): boolean {
    return whose === null || (this.#of.get(whose) ?? 0) + bytes <= this.#most
  }

  add(bytes: number, whose: string | null): void {
    if (whose === null) return
    const all = (this.#of.get(whose) ?? 0) + bytes
    if (all > 0) this.#of.set(whose, all)
    else this.#of.delete(whose)
  }
}

/** Half as many networks as this, each with its whole part, take all that is there for requests without a credential. */
const NETWORKS = 32
/** Half as many organisations as this, each with its whole part, take all that is there for large bodies. */
const TENANTS = 8
/** The part of the memory into which no body grows beyond this. */
const [FOR_SMALL, SMALL_BYTES] = [1 / 8, 65_536]

/** Pieces after the first are copied into blocks: kept by itself, a piece of one byte would cost two hundred. */
const [BLOCK_FIRST_BYTES, BLOCK_BYTES_MAX] = [4_096, 65_536]

/** A large body begins with this and doubles, so that it holds at most twice what has come. */
const LARGE_FIRST_BYTES = 524_288

/**
 * One body while it arrives, charged with all the memory it takes. Every path ends in `take` or `release`; either may
 * be called again.
 */
export class BodyBuffer {
  readonly #memory: BodyMemory
  readonly #bytesMax: number
  #holder: Holder
  #blocks: Uint8Array[] = []
  #bytes = 0
  /** Bytes of all blocks; the last block may have room left. */
  #capacity = 0

  constructor(memory: BodyMemory, bytesMax: number, strangerFrom: string | null) {
    this.#memory = memory
    this.#bytesMax = bytesMax
    this.#holder = { strangerFrom, tenant: null, isLarge: false }
  }

  /** Copies the chunk, because servers reuse their receive buffers. */
  add(chunk: Uint8Array): Taken {
    const needed = this.#bytes + chunk.byteLength
    if (needed > this.#bytesMax) return 'body_too_large'
    if (this.#holder.isLarge && needed > this.#capacity && !this.#growWhole(needed)) return 'body_memory_full'
    const inLast = Math.min(chunk.byteLength, this.#capacity - this.#bytes)
    const rest = chunk.byteLength - inLast
    const more = rest === 0 ? 0 : this.#nextBlock(rest)
    if (more > 0 && !this.#memory.reserve(more, this.#holder, this.#capacity)) return 'body_memory_full'
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

  /** Whose body it is, as far as that is known now; false when they have too much already. */
  giveTo({ tenant, isLarge }: Omit<Holder, 'strangerFrom'>): boolean {
    const known = this.#holder
    if (tenant === known.tenant && isLarge === known.isLarge) return true
    const holder = { ...known, tenant, isLarge }
    if (!this.#memory.move(this.#capacity, known, holder)) return false
    this.#holder = holder
    return true
  }

  take(): Uint8Array {
    const [only] = this.#blocks
    const isOne = this.#blocks.length === 1 && only !== undefined
    const whole = isOne ? only.subarray(0, this.#bytes) : Buffer.concat(this.#blocks, this.#bytes)
    this.release()
    return whole
  }

  release(): void {
    this.#memory.free(this.#capacity, this.#holder)
    this.#capacity = 0
    this.#bytes = 0
    this.#blocks = []
  }

  /** One block that doubles: many small ones would have to be put together again at the end, all at once. */
  #growWhole(atLeast: number): boolean {
    const capacity = Math.min(Math.max(2 * this.#capacity, LARGE_FIRST_BYTES, atLeast), this.#bytesMax)
    const more = capacity - this.#capacity
    if (!this.#memory.reserve(more, this.#holder, this.#capacity)) return false
    const whole = Buffer.allocUnsafeSlow(capacity)
    let at = 0
    for (const block of this.#blocks) {
      whole.set(block.subarray(0, this.#bytes - at), at)
      at += block.byteLength
    }
    this.#blocks = [whole]
    this.#capacity = capacity
    return true
  }

  /** The first block is as large as its piece, which nearly always is the whole body. */
  #nextBlock(atLeast: number): number {
    if (this.#capacity === 0) return atLeast
    const block = Math.min(Math.max(this.#capacity, BLOCK_FIRST_BYTES), BLOCK_BYTES_MAX)
    return Math.min(Math.max(block, atLeast), this.#bytesMax - this.#capacity)
  }
}
