import { describe, expect, it } from 'vitest'
import { didCommServiceOf } from '../../../src/didcomm/did-document.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { documentOfPeer2, peer2Did } from '../../../src/didcomm/peer-did-2.ts'
import { documentFor, documentOfLongForm, genesisDid, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { handshakeResponse } from '../../../src/didcomm/protocols/handshake.ts'
import { openSignedAttachment } from '../../../src/didcomm/signed-attachment.ts'
import type { HandshakeProtocol } from '../../../src/domain/handshake-protocols.ts'
import { type MessagePrefix, OLD_PREFIX, PREFIX } from '../../../src/domain/message-prefix.ts'

const service = {
  endpoint: 'https://wallet.example',
  recipientKeys: [createKeyPair().publicKeyBase58],
  routingKeys: [],
}
const document = documentFor(service)

describe('our response', () => {
  const invitationKey = createKeyPair()
  const own = {
    endpoint: 'https://service.example',
    recipientKeys: [createKeyPair().publicKeyBase58],
    routingKeys: [],
  }
  const socket = { ...own, endpoint: 'wss://service.example' }
  type Spoken = { readonly protocol: HandshakeProtocol; readonly prefix: MessagePrefix }
  const newest: Spoken = { protocol: 'didexchange/1.1', prefix: PREFIX }
  const respond = (theirDid: string, spoken = newest): Record<string, unknown> => {
    const asked = { threadId: 'request', invitationId: 'invitation', theirDid, ...spoken }
    return JSON.parse(
      handshakeResponse({ request: asked, own: [own, socket], invitationKey, atMs: 1_000 }),
    ) as Record<string, unknown>
  }

  it('to a did:peer:4 is one too, its name signed by the invitation’s key', () => {
    const message = respond(longFormDid(document))
    expect(didCommServiceOf(documentOfLongForm(String(message['did'])))).toEqual(own)
    const signed = { payload: message['did'], signerKey: invitationKey.publicKeyBase58 }
    expect(openSignedAttachment(message['did_rotate~attach'])).toEqual(signed)
    expect(message['~thread']).toEqual({ thid: 'request', pthid: 'invitation' })
    expect(message['@id']).toBe('request.response')
  })

  it('speaks the version of the request, and begins as it did', () => {
    const type = (spoken?: Spoken) => respond(longFormDid(document), spoken)['@type']
    expect(type()).toBe('https://didcomm.org/didexchange/1.1/response')
    const old = type({ protocol: 'didexchange/1.0', prefix: OLD_PREFIX })
    expect(old).toBe(`${OLD_PREFIX}didexchange/1.0/response`)
  })

  it('to a did:peer:1 carries the signed document', () => {
    const message = respond(genesisDid(document))
    const opened = openSignedAttachment(message['did_doc~attach'])
    expect(opened?.signerKey).toBe(invitationKey.publicKeyBase58)
    expect(didCommServiceOf(JSON.parse(opened?.payload ?? ''))).toEqual(own)
    expect(message['did']).toMatch(/^did:peer:1z/)
  })

  it('to a did:peer:2 is one too', () => {
    const message = respond(peer2Did(service))
    expect(didCommServiceOf(documentOfPeer2(String(message['did'])))).toEqual(own)
    expect(openSignedAttachment(message['did_rotate~attach'])?.payload).toBe(message['did'])
  })

  it.each([
    ['did:peer:4', longFormDid(document), (did: string) => documentOfLongForm(did)],
    ['did:peer:2', peer2Did(service), (did: string) => documentOfPeer2(did)],
  ])('names every place that we are written to, the preferred one first: %s', (_, theirDid, documentOf) => {
    const whole = documentOf(String(respond(theirDid)['did']))
    const firstBy = (isCallable: (endpoint: string) => boolean) =>
      didCommServiceOf(whole, ({ endpoint }) => isCallable(endpoint))
    expect(firstBy(() => true)).toEqual(own)
    expect(firstBy((endpoint) => endpoint.startsWith('wss:'))).toEqual(socket)
  })
})
