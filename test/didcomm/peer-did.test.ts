import { describe, expect, it } from 'vitest'
import { didCommServiceOf } from '../../src/didcomm/did-document.ts'
import { createKeyPair } from '../../src/didcomm/keys.ts'
import {
  documentFor,
  documentOfLongForm,
  genesisDid,
  longFormDid,
  peerFormOf,
} from '../../src/didcomm/peer-did.ts'

const service = {
  endpoint: 'https://wallet.example/didcomm',
  recipientKeys: [createKeyPair().publicKeyBase58],
  routingKeys: [createKeyPair().publicKeyBase58],
}

describe('a peer DID', () => {
  it('of form 4 carries the way to reach its owner', () => {
    const did = longFormDid(documentFor(service))
    expect(peerFormOf(did)).toBe('4')
    expect(didCommServiceOf(documentOfLongForm(did))).toEqual(service)
  })

  it('of form 4 whose hash does not match is refused', () => {
    const did = longFormDid(documentFor(service))
    const other = longFormDid(documentFor({ ...service, endpoint: 'https://elsewhere.example' }))
    expect(documentOfLongForm(`${did.split(':z')[0]}:z${other.split(':z')[1]}`)).toBeNull()
    expect(documentOfLongForm(did.slice(0, -1))).toBeNull()
    expect(documentOfLongForm('did:peer:4z')).toBeNull()
  })

  it('of form 1 names its document', () => {
    expect(peerFormOf(genesisDid(documentFor(service)))).toBe('1')
  })

  it('has no form when it is another method, and is old when it is unqualified', () => {
    expect(peerFormOf('did:web:example.com')).toBeNull()
    expect(peerFormOf('WgWxqztrNooG92RXvxSTWv')).toBe('unqualified')
  })
})
