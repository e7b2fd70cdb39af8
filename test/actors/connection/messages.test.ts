import { describe, expect, it } from 'vitest'
import { didCommServiceOf } from '../../../src/didcomm/did-document.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import { documentFor, documentOfLongForm, genesisDid, longFormDid } from '../../../src/didcomm/peer-did.ts'
import {
  handshakeResponse,
  isHandshakeRequest,
  parseHandshakeRequest,
} from '../../../src/actors/connection/messages.ts'
import type { HandshakeProtocol } from '../../../src/actors/connection/state.ts'
import { type MessagePrefix, OLD_PREFIX, PREFIX } from '../../../src/domain/message-prefix.ts'
import { openSignedAttachment, signAttachment } from '../../../src/didcomm/signed-attachment.ts'

const wallet = createKeyPair()
const service = {
  endpoint: 'https://wallet.example',
  recipientKeys: [wallet.publicKeyBase58],
  routingKeys: [],
}
const document = documentFor(service)

const request = (fields: Record<string, unknown>): ReturnType<typeof parseHandshakeRequest> => {
  const text = composeMessage({
    id: 'request',
    type: 'didexchange/1.1/request',
    thread: { thid: 'request', pthid: 'invitation' },
    label: 'Phone',
    ...fields,
  })
  const message = parseMessage(text)
  if (!message || !isHandshakeRequest(message)) throw new Error('no request')
  return parseHandshakeRequest(message)
}

describe('a handshake request', () => {
  it('with a did:peer:4 says how to reach the wallet', () => {
    expect(request({ did: longFormDid(document) })).toMatchObject({
      theirService: service,
      invitationId: 'invitation',
      theirLabel: 'Phone',
    })
  })

  it('with a signed document does too, for did:peer:1 and for unqualified DIDs', () => {
    for (const did of [genesisDid(document), 'WgWxqztrNooG92RXvxSTWv']) {
      const attached = signAttachment('doc', JSON.stringify(document), 'application/json', wallet)
      expect(request({ did, 'did_doc~attach': attached })?.theirService).toEqual(service)
    }
  })

  it('is refused when somebody else signed the document, or nobody did', () => {
    const did = genesisDid(document)
    const foreign = signAttachment('doc', JSON.stringify(document), 'application/json', createKeyPair())
    expect(request({ did, 'did_doc~attach': foreign })).toBeNull()
    expect(request({ did, 'did_doc~attach': { data: { base64: foreign.data.base64 } } })).toBeNull()
    expect(request({ did })).toBeNull()
    expect(request({ did: 'did:web:example.com' })).toBeNull()
    expect(request({ did: 7 })).toBeNull()
  })
})

describe('our response', () => {
  const invitationKey = createKeyPair()
  const own = {
    endpoint: 'https://service.example',
    recipientKeys: [createKeyPair().publicKeyBase58],
    routingKeys: [],
  }
  type Spoken = { readonly protocol: HandshakeProtocol; readonly prefix: MessagePrefix }
  const newest: Spoken = { protocol: 'didexchange/1.1', prefix: PREFIX }
  const respond = (theirDid: string, spoken = newest): Record<string, unknown> => {
    const asked = { threadId: 'request', invitationId: 'invitation', theirDid, ...spoken }
    return JSON.parse(handshakeResponse({ request: asked, own, invitationKey, atMs: 1_000 })) as Record<
      string,
      unknown
    >
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
})
