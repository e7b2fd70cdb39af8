import { describe, expect, it } from 'vitest'
import { didCommServiceOf } from '../../../src/didcomm/did-document.ts'
import { createKeyPair, verifyWith } from '../../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import {
  connectionIn,
  connectionResponse,
  isConnectionRequest,
} from '../../../src/didcomm/protocols/connections.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'

const invitationKey = createKeyPair()
const own = {
  endpoint: 'https://service.example/didcomm/con_1',
  recipientKeys: [createKeyPair().publicKeyBase58],
  routingKeys: [],
}
type Signed = Readonly<Record<'@type' | 'signature' | 'sig_data' | 'signer', string>>

describe('the answer of the older handshake', () => {
  const text = connectionResponse({
    threadId: 't',
    prefix: OLD_PREFIX,
    own: [own, { ...own, endpoint: 'wss://service.example/didcomm/con_1' }],
    invitationKey,
    atMs: 1_700_000_000_999,
  })
  const message = parseMessage(text)
  const signed = message?.body['connection~sig'] as Signed
  const data = Buffer.from(signed.sig_data, 'base64url')

  it('is signed by the invitation, with the time before what it says', () => {
    expect(message).toMatchObject({ type: 'connections/1.0/response', prefix: OLD_PREFIX, threadId: 't' })
    expect(signed['@type']).toBe(`${OLD_PREFIX}signature/1.0/ed25519Sha512_single`)
    expect(signed.signer).toBe(invitationKey.publicKeyBase58)
    expect(verifyWith(signed.signer, data, Buffer.from(signed.signature, 'base64url'))).toBe(true)
    expect(data.readBigUInt64BE(0)).toBe(1_700_000_000n)
  })

  it('says where we are, in a document of that time', () => {
    const { DID, DIDDoc } = JSON.parse(data.subarray(8).toString()) as { DID: string; DIDDoc: { id: string } }
    expect(DIDDoc.id).toBe(DID)
    expect(DID).toMatch(/^[1-9A-HJ-NP-Za-km-z]{20,22}$/)
    expect(didCommServiceOf(DIDDoc)).toEqual(own)
  })
})

describe('a request of the older handshake', () => {
  const read = (connection: unknown) => {
    const message = parseMessage(composeMessage({ id: 'r', type: 'connections/1.0/request', connection }))
    if (message === null || !isConnectionRequest(message)) throw new Error('it is no request')
    return connectionIn(message)
  }

  it('names its sender, or nobody', () => {
    expect(read({ DID: 'did', DIDDoc: { service: [] } })).toEqual({ did: 'did', document: { service: [] } })
    for (const odd of [
      undefined,
      null,
      'x',
      [],
      {},
      { DID: 'x' },
      { DID: 7, DIDDoc: {} },
      { DID: 'x', DIDDoc: 'y' },
    ])
      expect(read(odd)).toBeNull()
  })
})
