import { describe, expect, it } from 'vitest'
import { unpack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf } from '../../../src/didcomm/keys.ts'
import { parseMessage } from '../../../src/didcomm/message.ts'
import { createMessenger } from '../../../src/actors/connection/messenger.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'

const wallet = createKeyPair()
const own = createKeyPair()
const invitation = createKeyPair()
const service = {
  endpoint: 'https://wallet.example',
  recipientKeys: [wallet.publicKeyBase58],
  routingKeys: [],
}
const to = { service, ownSeed: seedOf(own).toString('base64url') }
const signal = new AbortController().signal

const sent: { endpoint: string; envelope: string }[] = []
const messenger = createMessenger({
  send: async (endpoint, envelope) => {
    sent.push({ endpoint, envelope })
  },
  newId: () => 'id',
  endpointOf: (connectionId) => `https://service.example/didcomm/${connectionId}`,
})

const last = () => {
  const { endpoint, envelope } = sent.at(-1) ?? { endpoint: '', envelope: '' }
  const opened = unpack(envelope, (key) => (key === wallet.publicKeyBase58 ? wallet : null))
  return { endpoint, senderKey: opened.senderKey, message: parseMessage(opened.message) }
}

describe('the messenger', () => {
  it('writes to the wallet under the key of the connection', async () => {
    await messenger.credentialOffer(to, { threadId: 'cre_1', attributes: {}, offer: '{}' }, signal)
    expect(last()).toMatchObject({
      endpoint: service.endpoint,
      senderKey: own.publicKeyBase58,
      message: { id: 'cre_1', type: 'issue-credential/2.0/offer-credential' },
    })
  })

  it('gives what is sent again the same id', async () => {
    const ids: unknown[] = []
    for (const _ of [1, 2]) {
      await messenger.credential(to, { threadId: 'cre_1', credential: '{}' }, signal)
      ids.push(last().message?.id)
    }
    expect(ids[0]).toBe(ids[1])
  })

  it('answers a handshake under the invitation’s key, naming the connection’s own address', async () => {
    const theirDid = longFormDid(documentFor(service))
    const invitationSeed = seedOf(invitation).toString('base64url')
    const facts = { connectionId: 'con_1', threadId: 't', invitationId: 'inv_1', theirDid, invitationSeed }
    await messenger.connectionResponse(to, facts, signal)
    expect(last().senderKey).toBe(invitation.publicKeyBase58)
    expect(last().message).toMatchObject({ threadId: 't', parentThreadId: 'inv_1' })
  })

  it('passes on that the endpoint did not take the message', async () => {
    const away = createMessenger({
      send: () => Promise.reject(new Error('away')),
      newId: () => 'id',
      endpointOf: () => '',
    })
    await expect(away.proofAck(to, { threadId: 'pro_1' }, signal)).rejects.toThrow('away')
  })
})
