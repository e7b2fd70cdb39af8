import bs58 from 'bs58'
import sodium from 'sodium-native'
import { describe, expect, it } from 'vitest'
import {
  curveKeys,
  decodeVerkey,
  derivedIdentity,
  identityFromSeed,
  isDid,
  verify,
} from '../../../src/ledger/sandbox/identities.ts'

describe('an Indy identity', () => {
  const identity = identityFromSeed(Buffer.from('000000000000000000000000Trustee1'))

  it('follows from its seed as on every Indy network', () => {
    expect(identity.did).toBe('V4SGRU86Z58d6TV7PBUe6f')
    expect(identity.verkey).toBe('GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL')
  })

  it('is verified by its key, in full or abbreviated', () => {
    const signature = Buffer.alloc(64)
    sodium.crypto_sign_detached(signature, Buffer.from('text'), identity.secretKey)
    const abbreviated = `~${bs58.encode(bs58.decode(identity.verkey).subarray(16))}`
    for (const verkey of [identity.verkey, abbreviated]) {
      expect(verify(verkey, identity.did, 'text', bs58.encode(signature))).toBe(true)
      expect(verify(verkey, identity.did, 'other', bs58.encode(signature))).toBe(false)
    }
    expect(verify(identity.verkey, identity.did, 'text', 'nonsense')).toBe(false)
    expect(decodeVerkey('~x', 'y')).toBeNull()
  })

  it('is a DID when it has 16 bytes', () => {
    expect([isDid(identity.did), isDid(identity.verkey), isDid(7), isDid('0')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('differs with each label of the same secret', () => {
    const secret = Buffer.alloc(32, 1)
    expect(derivedIdentity(secret, 'Node1').did).not.toBe(derivedIdentity(secret, 'Node2').did)
    expect(derivedIdentity(secret, 'Node1').did).toBe(derivedIdentity(secret, 'Node1').did)
  })

  it('has transport keys of 40 Z85 characters', () => {
    const { publicKey, secretKey } = curveKeys(identity)
    expect([publicKey.length, secretKey.length]).toEqual([40, 40])
  })
})
