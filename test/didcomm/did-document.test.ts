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

  it.each([
    ['no envelope can be made for its key', service(['1'.repeat(32)])],
    ['no envelope can be made for a key on the way', service([key], { routingKeys: ['1'.repeat(32)] })],
    ['more than two mediators are on the way', service([key], { routingKeys: [key, key, key] })],
    ['its address is not of the web', service([key], { serviceEndpoint: 'javascript:alert(1)' })],
    ['its address is none', service([key], { serviceEndpoint: 'wallet' })],
    ['its host is too long', service([key], { serviceEndpoint: `http://${'a'.repeat(9_000)}` })],
    [
      'its host is longer than a name can be',
      service([key], { serviceEndpoint: `http://${'a'.repeat(300)}` }),
    ],
  ])('has no service that could be written to when %s', (_why, unusable) => {
    expect(didCommServiceOf({ service: [unusable] })).toBeNull()
    expect(didCommServiceOf({ service: [unusable, service([key], { priority: 1 })] })).not.toBeNull()
  })

  it('gives a WebSocket that can be called rather than a POST that cannot, and else the first POST', () => {
    const [plain, socket] = ['http://wallet.example', 'wss://wallet.example']
    const document = {
      service: [socket, plain, endpoint].map((serviceEndpoint, priority) =>
        service([key], { serviceEndpoint, priority }),
      ),
    }
    const found = (...callable: readonly string[]) =>
      didCommServiceOf(document, (each) => callable.includes(each.endpoint))?.endpoint
    expect(found(plain, socket, endpoint)).toBe(plain)
    expect(found(socket, endpoint)).toBe(endpoint)
    expect(found(socket)).toBe(socket)
    expect(found()).toBe(plain)
  })

  it('may name two mediators on the way', () => {
    const found = didCommServiceOf({ service: [service([key], { routingKeys: [key, key] })] })
    expect(found?.routingKeys).toEqual([key, key])
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
      { service: [service([key], { type: { toString: 1, valueOf: 2 } })] },
      {
        service: [service(['#k'])],
        authentication: [{ id: '#k', type: { toString: 1 }, publicKeyBase58: key }],
      },
    ]) {
      expect(didCommServiceOf(document)).toBeNull()
      expect(signingKeysOf(document)).toEqual([])
    }
  })
})
