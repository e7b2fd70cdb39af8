import { createHash } from 'node:crypto'
import { encode } from '@msgpack/msgpack'

/**
 * An RFC 6962 tree over transactions, hashed as Indy nodes do: leaves are msgpack with sorted keys. Complete left
 * subtrees are kept, so an append costs a logarithm.
 */
export class MerkleTree {
  readonly #leaves: Buffer[] = []

  get size(): number {
    return this.#leaves.length
  }

  append(transaction: unknown): void {
    this.#leaves.push(hash(0, encode(transaction, { sortKeys: true, useBigInt64: true })))
  }

  root(size: number = this.size): Buffer {
    return size === 0 ? createHash('sha256').digest() : this.#node(0, size)
  }

  /** The sibling hashes from leaf `index` up to the root of the tree's first `size` leaves. */
  auditPath(index: number, size: number = this.size): Buffer[] {
    const path = (from: number, to: number): Buffer[] => {
      if (to - from === 1) return []
      const middle = from + largestPowerBelow(to - from)
      return index < middle
        ? [...path(from, middle), this.#node(middle, to)]
        : [...path(middle, to), this.#node(from, middle)]
    }
    return path(0, size)
  }

  readonly #complete = new Map<string, Buffer>()

  #node(from: number, to: number): Buffer {
    const width = to - from
    if (width === 1) return this.#leaves[from] as Buffer
    // An aligned full subtree never changes again, so its hash is cached and a root costs O(log n) hashes.
    const full = (width & (width - 1)) === 0 && from % width === 0
    const key = full ? `${from}:${width}` : ''
    const known = full ? this.#complete.get(key) : undefined
    if (known) return known
    const middle = from + largestPowerBelow(width)
    const made = hash(1, this.#node(from, middle), this.#node(middle, to))
    if (full) this.#complete.set(key, made)
    return made
  }
}

const largestPowerBelow = (n: number): number => 2 ** (Math.ceil(Math.log2(n)) - 1)

const hash = (prefix: number, ...parts: Uint8Array[]): Buffer => {
  const sha = createHash('sha256').update(Uint8Array.of(prefix))
  for (const part of parts) sha.update(part)
  return sha.digest()
}
