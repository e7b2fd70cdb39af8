import { describe, expect, it } from 'vitest'
import {
  createKeyPair,
  createOwnKey,
  didKeyOf,
  ed25519KeyOf,
  keyPairFromSeed,
  multibaseKey,
  pairOf,
  seedOf,
  signWith,
  verifyWith,
} from '../../src/didcomm/keys.ts'

describe('an Ed25519 key', () => {
  it('has the same name in all its spellings', () => {
    const key = createKeyPair().publicKeyBase58
    const did = didKeyOf(key)
    for (const spelling of [key, did, `${did}#${did.slice(8)}`, multibaseKey(key)])
      expect(ed25519KeyOf(spelling)).toBe(key)
  })

  it('of ours is found again by what a record keeps of it', () => {
    const [one, other] = [createOwnKey(), createOwnKey()]
    expect(pairOf(one.ownSeed).publicKeyBase58).toBe(one.ownKey)
    expect(one.ownSeed).not.toBe(other.ownSeed)
    const signature = signWith(pairOf(one.ownSeed), Buffer.from('text'))
    expect(verifyWith(one.ownKey, Buffer.from('text'), signature)).toBe(true)
  })

  it('may begin with the letter that marks a multibase text', () => {
    const key = 'z8uA7qEYrCqRhHgu8UUrw3oH73GKssgRrdfvXaKFTmY'
    for (const spelling of [key, didKeyOf(key), multibaseKey(key)]) expect(ed25519KeyOf(spelling)).toBe(key)
  })

  it('is spelled as did:key says', () => {
    const key = ed25519KeyOf('did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH')
    expect(key && didKeyOf(key)).toBe('did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH')
  })

  it('is not read out of something else', () => {
    for (const text of [
      '',
      'did:key:',
      'did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc',
      'abc',
      '0OIl',
      'z',
      'a'.repeat(500),
    ]) {
      expect(ed25519KeyOf(text), text).toBeNull()
    }
  })

  it('comes back from its seed and signs as before', () => {
    const pair = createKeyPair()
    keyPairFromSeed(seedOf(pair))
    // The second time it is remembered.
    const again = keyPairFromSeed(seedOf(pair))
    const message = Buffer.from('message')
    expect(verifyWith(pair.publicKeyBase58, message, signWith(again, message))).toBe(true)
    expect(verifyWith(pair.publicKeyBase58, Buffer.from('other'), signWith(again, message))).toBe(false)
    expect(verifyWith(pair.publicKeyBase58, message, Buffer.alloc(3))).toBe(false)
  })
})
