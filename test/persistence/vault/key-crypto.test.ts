import { describe, expect, it } from 'vitest'
import {
  decrypt,
  deriveKey,
  encrypt,
  newKey,
  newKeyId,
  WRAPPED_BYTES,
} from '../../../src/persistence/vault/key-crypto.ts'

describe('key crypto', () => {
  const key = newKey()

  it('opens what it sealed, of any length', () => {
    for (const plain of ['', 'a', 'Grüße \u{1f600}', 'x'.repeat(70_000)]) {
      expect(decrypt(key, encrypt(key, plain, 'place'), 'place')?.toString()).toBe(plain)
    }
  })

  it('opens nothing with another key, another place, or one bit changed', () => {
    const box = encrypt(key, 'secret', 'place')
    expect(decrypt(newKey(), box, 'place')).toBeNull()
    expect(decrypt(key, box, 'other')).toBeNull()
    for (let bit = 0; bit < box.length * 8; bit++) {
      const altered = Buffer.from(box)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decrypt(key, altered, 'place')).toBeNull()
    }
    for (let length = 0; length < box.length; length++)
      expect(decrypt(key, box.subarray(0, length), 'place')).toBeNull()
  })

  it('never uses a nonce twice, also beyond one filling of its stock', () => {
    const nonces = Array.from({ length: 5_000 }, () => encrypt(key, '', '').subarray(0, 12).toString('hex'))
    expect(new Set(nonces).size).toBe(nonces.length)
  })

  it('wraps every key into the same number of bytes', () => {
    expect(encrypt(key, newKey(), 'place')).toHaveLength(WRAPPED_BYTES)
  })

  it('derives a different key for each purpose, and the same for the same', () => {
    expect(deriveKey(key, 'seal')).toEqual(deriveKey(key, 'seal'))
    expect(deriveKey(key, 'seal')).not.toEqual(deriveKey(key, 'wrap'))
    expect(deriveKey(key, 'seal')).toHaveLength(32)
    expect(newKeyId()).toMatch(/^[\w-]{8}$/)
  })
})
