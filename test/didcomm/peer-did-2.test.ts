import { describe, expect, it } from 'vitest'
import { didCommServiceOf } from '../../src/didcomm/did-document.ts'
import {
  createKeyPair,
  didKeyOf,
  ed25519KeyOf,
  multibaseAgreementKey,
  multibaseKey,
} from '../../src/didcomm/keys.ts'
import { documentOfPeer2, peer2Did } from '../../src/didcomm/peer-did-2.ts'

const key = createKeyPair().publicKeyBase58
const routing = createKeyPair().publicKeyBase58
const signing = `.V${multibaseKey(key)}`
const agreement = `.E${multibaseAgreementKey(key)}`
const serviceOf = (service: unknown): string =>
  `.S${Buffer.from(JSON.stringify(service)).toString('base64url')}`
const plain = { t: 'did-communication', s: 'https://wallet.example', recipientKeys: ['#key-1'] }
const found = { endpoint: 'https://wallet.example', recipientKeys: [key], routingKeys: [] }

describe('a did:peer:2', () => {
  it('of ours says where we are, on the way through others too', () => {
    for (const routingKeys of [[], [routing]]) {
      const own = { endpoint: 'https://service.example/didcomm/con_1', recipientKeys: [key], routingKeys }
      expect(didCommServiceOf(documentOfPeer2(peer2Did(own)))).toEqual(own)
    }
  })

  it.each([
    ['keys by their place', `${signing}${agreement}${serviceOf(plain)}`],
    ['a key behind another', `${agreement}${signing}${serviceOf({ ...plain, recipientKeys: ['#key-2'] })}`],
    [
      'keys by themselves',
      `${signing}${serviceOf({ ...plain, recipientKeys: [`#${multibaseKey(key).slice(1)}`] })}`,
    ],
    ['keys as did:key', `${signing}${serviceOf({ ...plain, recipientKeys: [didKeyOf(key)] })}`],
    ['several services in one list', `${signing}${serviceOf([{ t: 'dm', s: 'x' }, plain])}`],
    [
      'a service that a queue goes before',
      `${signing}${serviceOf({ ...plain, s: 'didcomm:transport/queue' })}${serviceOf(plain)}`,
    ],
    ['an address in an object', `${signing}${serviceOf({ ...plain, s: { uri: 'https://wallet.example' } })}`],
    ['padded base64', `${signing}${serviceOf(plain)}==`],
  ])('is read with %s', (_, entries) => {
    expect(didCommServiceOf(documentOfPeer2(`did:peer:2${entries}`))).toEqual(found)
  })

  it('names the way through a mediator beside the address, or in the service', () => {
    for (const service of [
      { ...plain, r: [didKeyOf(routing)] },
      { ...plain, s: { uri: 'https://wallet.example', r: [didKeyOf(routing)] } },
    ])
      expect(didCommServiceOf(documentOfPeer2(`did:peer:2${signing}${serviceOf(service)}`))).toEqual({
        ...found,
        routingKeys: [routing],
      })
  })

  it('has no key for envelopes that signs, and none for signatures that opens', () => {
    expect(ed25519KeyOf(multibaseAgreementKey(key))).toBeNull()
    const document = documentOfPeer2(`did:peer:2${agreement}${serviceOf(plain)}`)
    expect(didCommServiceOf(document)).toBeNull()
  })

  it.each([
    '',
    'did:peer:2',
    'did:peer:2.',
    'did:peer:2.V',
    'did:peer:2.Xz6Mk',
    `did:peer:2${serviceOf(plain)}`,
    `did:peer:2${signing}.S!`,
    `did:peer:2${signing}.SbnVsbA`,
    `did:peer:2${signing}.S${Buffer.from('[1]').toString('base64url')}`,
    `did:peer:2${signing}.S${Buffer.from('{').toString('base64url')}`,
    `did:peer:2${signing.repeat(40)}`,
    `did:peer:4${signing}`,
  ])('is none: %.40s', (did) => {
    expect(documentOfPeer2(did)).toBeNull()
  })
})
