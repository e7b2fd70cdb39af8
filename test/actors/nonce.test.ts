import { describe, expect, it } from 'vitest'
import { newNonce } from '../../src/actors/ids.ts'

describe('a nonce', () => {
  it('is a decimal number of at most 80 bits, another each time', () => {
    const nonces = Array.from({ length: 100 }, newNonce)
    expect(new Set(nonces).size).toBe(100)
    expect(nonces.every((each) => /^\d+$/.test(each) && BigInt(each) < 2n ** 80n)).toBe(true)
  })
})
