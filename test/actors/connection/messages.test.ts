import { describe, expect, it } from 'vitest'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import { documentFor, genesisDid, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { parseHandshakeRequest } from '../../../src/actors/connection/messages.ts'
import { isHandshakeRequest } from '../../../src/didcomm/protocols/handshake.ts'
import { signAttachment } from '../../../src/didcomm/signed-attachment.ts'

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
