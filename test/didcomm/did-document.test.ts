import { describe, expect, it } from 'vitest'
import { didCommServiceOf, signingKeysOf } from '../../src/didcomm/did-document.ts'
import { createKeyPair, didKeyOf, multibaseKey } from '../../src/didcomm/keys.ts'

const key = createKeyPair().publicKeyBase58
const endpoint = 'https://wallet.example'
const service = (recipientKeys: unknown, more: object = {}): object => ({
  type: 'did-communication',
  serviceEndpoint: endpoint,
  recipientKeys,
  ...more,
})

describe('a DID document', () => {
  it('gives its keys in every spelling that wallets use', () => {
    const documents = [
      { service: [service([key])] },
      { service: [service([didKeyOf(key)], { type: 'IndyAgent' })] },
      {
        service: [service(['#k'])],
        authentication: [{ id: '#k', type: 'Ed25519VerificationKey2018', publicKeyBase58: key }],
      },
      {
        service: [service(['did:x#k'])],
        verificationMethod: [{ id: 'did:x#k', type: 'Multikey', publicKeyMultibase: multibaseKey(key) }],
      },
      {
        service: [service(['did:x#k'], { serviceEndpoint: { uri: endpoint } })],
        publicKey: [{ id: '#k', type: 'Ed25519', publicKeyBase58: key }],
      },
    ]
    for (const document of documents) {
      expect(didCommServiceOf(document)).toEqual({ endpoint, recipientKeys: [key], routingKeys: [] })
    }
  })

  it('is passed over when a key is missing, and the next service is taken', () => {
    expect(didCommServiceOf({ service: [service(['#missing'])] })).toBeNull()
    expect(
      didCommServiceOf({ service: [service(['#missing']), service([key], { priority: 1 })] }),
    ).not.toBeNull()
  })

  it('of any other shape has no service and no keys', () => {
    for (const document of [
      null,
      7,
      [],
      {},
      { service: 'x' },
      { service: [null] },
      { service: [service('x')] },
      { service: [service([5])] },
    ]) {
      expect(didCommServiceOf(document)).toBeNull()
      expect(signingKeysOf(document)).toEqual([])
    }
  })
})
