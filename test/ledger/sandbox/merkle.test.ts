import { createHash } from 'node:crypto'
import { encode } from '@msgpack/msgpack'
import { describe, expect, it } from 'vitest'
import { MerkleTree } from '../../../src/ledger/sandbox/merkle.ts'

const sha = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaf = (value: unknown): Buffer => sha(Uint8Array.of(0), encode(value, { sortKeys: true }))
const node = (left: Buffer, right: Buffer): Buffer => sha(Uint8Array.of(1), left, right)

/** RFC 6962 written down naively. */
const rootOf = (leaves: readonly Buffer[]): Buffer => {
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return leaves[0] as Buffer
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return node(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

const fromPath = (index: number, size: number, start: Buffer, path: readonly Buffer[]): Buffer => {
  let [at, last, hash] = [index, size - 1, start]
  for (const sibling of path) {
    if (at % 2 === 1 || at === last) {
      hash = node(sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1]
    } else hash = node(hash, sibling)
    at >>= 1
    last >>= 1
  }
  return hash
}

describe('the ledger tree', () => {
  it('has the root of RFC 6962 at every size, also seen later', () => {
    const tree = new MerkleTree()
    const leaves: Buffer[] = []
    const roots: Buffer[] = [tree.root()]
    for (let n = 0; n < 70; n += 1) {
      tree.append({ n })
      leaves.push(leaf({ n }))
      roots.push(rootOf(leaves))
      expect(tree.root()).toEqual(roots.at(-1))
    }
    for (const [size, root] of roots.entries()) expect(tree.root(size)).toEqual(root)
  })

  it('proves every leaf under every root', () => {
    const tree = new MerkleTree()
    for (let n = 0; n < 20; n += 1) tree.append({ n })
    for (let size = 1; size <= 20; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const proved = fromPath(index, size, leaf({ n: index }), tree.auditPath(index, size))
        expect(proved.equals(tree.root(size)), `leaf ${index} of ${size}`).toBe(true)
      }
    }
  })

  it('hashes integers that no JavaScript number holds', () => {
    const [left, right] = [new MerkleTree(), new MerkleTree()]
    left.append({ reqId: 1_732_180_000_000_000_001n })
    right.append({ reqId: 1_732_180_000_000_000_002n })
    expect(left.root()).not.toEqual(right.root())
  })
})
