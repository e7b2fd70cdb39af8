import { describe, expect, it } from 'vitest'
import { identityFromSeed, verify } from '../../src/ledger/sandbox/identities.ts'
import { signerFromSeed } from '../../src/ledger/signer.ts'
import bs58 from 'bs58'

describe('a signer from its seed', () => {
  it('signs as the identity of the seed', () => {
    const seed = Buffer.alloc(32, 7)
    const { did, verkey } = identityFromSeed(seed)
    const signer = signerFromSeed(seed)
    expect(signer.did).toBe(did)
    expect(verify(verkey, did, 'text', bs58.encode(signer.sign(Buffer.from('text'))))).toBe(true)
  })
})
