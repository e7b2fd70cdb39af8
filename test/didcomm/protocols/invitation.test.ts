import { describe, expect, it } from 'vitest'
import { createKeyPair, didKeyOf } from '../../../src/didcomm/keys.ts'
import { invitationMessage, invitationUrl } from '../../../src/didcomm/protocols/invitation.ts'

describe('an invitation', () => {
  it('travels in a link, its keys as did:key', () => {
    const key = createKeyPair().publicKeyBase58
    const facts = {
      id: 'inv',
      label: 'Registry',
      services: [{ endpoint: 'https://service.example/didcomm', recipientKeys: [key], routingKeys: [] }],
    }
    const url = new URL(invitationUrl('https://service.example/i', invitationMessage(facts)))
    const text = Buffer.from(url.searchParams.get('oob') ?? '', 'base64url').toString()
    expect(JSON.parse(text)).toMatchObject({
      '@id': 'inv',
      '@type': 'https://didcomm.org/out-of-band/1.1/invitation',
      label: 'Registry',
      handshake_protocols: ['https://didcomm.org/didexchange/1.1', 'https://didcomm.org/connections/1.0'],
      services: [{ type: 'did-communication', recipientKeys: [didKeyOf(key)] }],
    })
  })
})
