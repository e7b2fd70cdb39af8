import { randomBytes } from 'node:crypto'
import bs58 from 'bs58'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeLong, encodeLong } from '../../src/didcomm/base58.ts'

describe('base58 of long texts', () => {
  it('is the package’s, and comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(4), (tail, zeros) => {
        const bytes = Buffer.concat([Buffer.alloc(zeros), tail])
        expect(encodeLong(bytes)).toBe(bs58.encode(bytes))
        expect(decodeLong(bs58.encode(bytes))).toEqual(bytes)
      }),
    )
    const document = randomBytes(3_000)
    expect(encodeLong(document)).toBe(bs58.encode(document))
    expect(decodeLong(encodeLong(document))).toEqual(document)
  })

  it('has no other digits', () => {
    for (const text of ['0', 'O', 'I', 'l', '111l', 'abc+', 'a b', 'é'])
      expect(() => decodeLong(text), text).toThrow(RangeError)
  })
})
