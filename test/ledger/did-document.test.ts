import { describe, expect, it } from 'vitest'
import { didDocument } from '../../src/ledger/did-document.ts'

// From the tests of indy-vdr.
const nym = { dest: 'QowxFtwciWceMFr7WbwnM', verkey: '67yDXtw6MK2D7V2kFSL7uMH6qTtrEbNtkdiTkbk9YJBk' }
const id = 'did:indy:idunion:QowxFtwciWceMFr7WbwnM'
const bare = {
  id,
  verificationMethod: [
    {
      id: `${id}#verkey`,
      type: 'Ed25519VerificationKey2018',
      controller: id,
      publicKeyBase58: nym.verkey,
    },
  ],
  authentication: [`${id}#verkey`],
}

describe('the document of a DID', () => {
  it('has the key of the identifier', () => {
    expect(didDocument('idunion', nym, null)).toEqual(bare)
    expect(didDocument('idunion', { ...nym, diddocContent: null }, {})).toEqual(bare)
  })

  it.each([
    ['~CoRER63DVYnWZtK8uAzNbx', 'GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL'],
    ['~CoRER63DVYnWZtK8uAzNbx:ed25519', 'GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL:ed25519'],
    ['~CoRER63DVYnWZtK8uAzNb0', '~CoRER63DVYnWZtK8uAzNb0'],
  ])('has a key that was shortened whole: %s', (verkey, whole) => {
    const document = didDocument('sandbox', { dest: 'V4SGRU86Z58d6TV7PBUe6f', verkey }, null)
    expect(document['verificationMethod']).toMatchObject([{ publicKeyBase58: whole }])
  })

  it('says where the identifier is served', () => {
    const endpoints = { endpoint: 'https://agents.example', profile: 'https://example.com', empty: null }
    expect(didDocument('idunion', nym, endpoints)).toEqual({
      ...bare,
      service: [
        {
          id: `${id}#did-communication`,
          type: 'did-communication',
          serviceEndpoint: 'https://agents.example',
          recipientKeys: [`${id}#verkey`],
          routingKeys: [],
          priority: 0,
        },
        { id: `${id}#profile`, type: 'profile', serviceEndpoint: 'https://example.com' },
      ],
    })
  })

  it('says who forwards to where it is served', () => {
    const endpoints = { endpoint: 'https://agents.example', routingKeys: ['one', 7, 'two'] }
    expect(didDocument('idunion', nym, endpoints)).toMatchObject({
      service: [{ type: 'did-communication', routingKeys: ['one', 'two'] }],
    })
  })

  it('has what its owner put into it, and stays the one of this identifier and key', () => {
    const content = {
      '@context': ['https://www.w3.org/ns/did/v1'],
      id: 'did:indy:idunion:another',
      authentication: '#other',
      verificationMethod: [{ id: '#other' }],
      service: [{ id: '#served' }],
    }
    const text = JSON.stringify(content)
    expect(didDocument('idunion', { ...nym, diddocContent: text }, { endpoint: 'x' })).toEqual({
      '@context': content['@context'],
      id,
      verificationMethod: [...bare.verificationMethod, { id: '#other' }],
      authentication: [...bare.authentication, '#other'],
      service: content.service,
    })
  })

  it.each(['{', '[]', '"text"', 'null'])('leaves out content that is no object: %s', (diddocContent) => {
    expect(didDocument('idunion', { ...nym, diddocContent }, null)).toEqual(bare)
  })
})
