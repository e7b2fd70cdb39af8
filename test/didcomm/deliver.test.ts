import { describe, expect, it } from 'vitest'
import { deliverTo, nothingInside } from '../../src/didcomm/deliver.ts'
import { unpack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf } from '../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../src/didcomm/message.ts'

const wallet = createKeyPair()
const own = createKeyPair()
const service = {
  endpoint: 'https://wallet.example',
  recipientKeys: [wallet.publicKeyBase58],
  routingKeys: [],
}
const to = { service, ownSeed: seedOf(own).toString('base64url') }
const { signal } = new AbortController()
const message = composeMessage({ id: 'cre_1', type: 'issue-credential/2.0/offer-credential' })

describe('a message to a wallet', () => {
  it('goes to its endpoint in an envelope from the key that we have for it', async () => {
    const sent: { endpoint: string; envelope: string }[] = []
    const send = async (endpoint: string, envelope: string) => void sent.push({ endpoint, envelope })
    await deliverTo({ send, newId: () => 'id', inside: nothingInside })(to, message, signal, 'sending')
    const [{ endpoint, envelope } = { endpoint: '', envelope: '' }] = sent
    const opened = unpack(envelope, (key) => (key === wallet.publicKeyBase58 ? wallet : null))
    expect([endpoint, opened.senderKey]).toEqual([service.endpoint, own.publicKeyBase58])
    expect(parseMessage(opened.message)).toMatchObject({
      id: 'cre_1',
      type: 'issue-credential/2.0/offer-credential',
    })
  })

  it('is not delivered when the endpoint does not take it', async () => {
    const send = () => Promise.reject(new Error('away'))
    const away = deliverTo({ send, newId: () => 'id', inside: nothingInside })
    await expect(away(to, message, signal, 'sending')).rejects.toThrow('away')
  })

  it('that waits for its messages here is not sent', async () => {
    const taken: string[] = []
    const deliver = deliverTo({
      send: () => Promise.reject(new Error('sent')),
      newId: () => 'id',
      inside: { keepsFor: () => true, take: async (_, { envelope }) => taken.push(envelope) > 0 },
    })
    await deliver({ ...to, service: { ...service, routingKeys: ['key'] } }, message, signal, 'sending')
    const [envelope = ''] = taken
    expect(unpack(envelope, (key) => (key === wallet.publicKeyBase58 ? wallet : null)).message).toBe(message)
  })
})
