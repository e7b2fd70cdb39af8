import { describe, expect, it } from 'vitest'
import { unpack } from '../../../src/didcomm/envelope.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import { peer2Did } from '../../../src/didcomm/peer-did-2.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { inboundWorld, invitationId, own, theirService, wallet } from '../inbound-world.ts'

const queue = { ...theirService, endpoint: 'didcomm:transport/queue' }
const insecure = { ...theirService, endpoint: 'ws://wallet.example' }

type Fields = Readonly<Record<string, unknown>>
const requestWith = (did: string, more: Fields = {}) =>
  composeMessage({
    id: 'request-1',
    type: 'didexchange/1.1/request',
    thread: { thid: 'request-1', pthid: invitationId },
    label: 'Phone',
    did,
    ...more,
  })

const oldDocument = ({ endpoint, recipientKeys, routingKeys }: typeof theirService) => ({
  '@context': 'https://w3id.org/did/v1',
  id: 'WgWxqztrNooG92RXvxSTWv',
  publicKey: [],
  authentication: [],
  service: [
    {
      id: 'WgWxqztrNooG92RXvxSTWv;indy',
      type: 'IndyAgent',
      priority: 0,
      recipientKeys,
      routingKeys,
      serviceEndpoint: endpoint,
    },
  ],
})
const oldRequestOf = (
  service: typeof theirService,
  thread: Fields | null = { pthid: invitationId },
  more: Fields = {},
) =>
  composeMessage({
    id: 'request-1',
    type: 'connections/1.0/request',
    ...(thread && { '~thread': thread }),
    label: 'Phone',
    connection: { DID: 'WgWxqztrNooG92RXvxSTWv', DIDDoc: oldDocument(service) },
    ...more,
  })

describe('a wallet that is reached', () => {
  it.each([
    ['by a did:peer:2', requestWith(peer2Did(theirService)), 'didexchange/1.1', theirService],
    ['by the older handshake', oldRequestOf(theirService), 'connections/1.0', theirService],
    [
      'by the older handshake, which names no invitation',
      oldRequestOf(theirService, null),
      'connections/1.0',
      theirService,
    ],
    [
      'on a WebSocket alone',
      requestWith(longFormDid(documentFor({ ...theirService, endpoint: 'wss://wallet.example' }))),
      'didexchange/1.1',
      { ...theirService, endpoint: 'wss://wallet.example' },
    ],
  ])('%s gets a connection', async (_, request, protocol, service) => {
    const { send, asked } = inboundWorld()
    expect(await send(invitationId, request)).toBe('accepted')
    const command = { type: 'RequestConnection', protocol, theirService: service, theirLabel: 'Phone' }
    expect(asked.at(-1)).toMatchObject({ command })
  })

  it('by a POST as well as by a WebSocket or a queue is written to by POST', async () => {
    const services = [queue, { ...theirService, endpoint: 'wss://wallet.example' }, theirService].map(
      (each) => ({
        ...each,
        type: 'did-communication',
        serviceEndpoint: each.endpoint,
      }),
    )
    const { send, asked } = inboundWorld()
    await send(invitationId, requestWith(longFormDid({ service: services })))
    expect(asked.at(-1)?.command).toMatchObject({ theirService })
  })
})

describe.each([
  [
    'a did:peer:4',
    (service: typeof theirService, more?: Fields) => requestWith(longFormDid(documentFor(service)), more),
  ],
  ['a did:peer:2', (service: typeof theirService, more?: Fields) => requestWith(peer2Did(service), more)],
  [
    'the older handshake',
    (service: typeof theirService, more?: Fields) => oldRequestOf(service, undefined, more),
  ],
])('a wallet with %s that cannot be reached', (_, requestOf) => {
  const cases = [
    ['it takes messages on the way of its own alone', queue, /mediator/],
    ['its WebSocket is not secure', insecure, /wss/],
    ['its address is none', { ...theirService, endpoint: 'javascript:1' }, /no address/],
  ] as const

  it.each(cases)('reads the reason in the answer: %s', async (_what, service, reason) => {
    const { send, asked } = inboundWorld()
    expect(await send(invitationId, requestOf(service))).toEqual({
      reason: expect.stringMatching(reason) as unknown,
    })
    expect(asked).toEqual([])
  })

  it.each(cases)('hears a problem report where it takes one there: %s', async (_what, service, reason) => {
    const { send, asked } = inboundWorld()
    const received = await send(invitationId, requestOf(service, { '~transport': { return_route: 'all' } }))
    if (typeof received === 'string' || !('answer' in received)) throw new Error('it heard nothing')
    const opened = unpack(received.answer, (key) => (key === wallet.publicKeyBase58 ? wallet : null))
    expect(opened.senderKey).toBe(own.publicKeyBase58)
    expect(parseMessage(opened.message)).toMatchObject({
      type: expect.stringMatching(/^(didexchange\/1.1|connections\/1.0)\/problem_report$/) as unknown,
      threadId: 'request-1',
      body: { 'problem-code': 'request_not_accepted', explain: expect.stringMatching(reason) as unknown },
    })
    expect(asked).toEqual([])
  })
})

describe('an invitation', () => {
  it.each(['did:peer:2.V', 'did:web:wallet.example', 'did:peer:4z'])(
    'says that it cannot read the DID of a wallet: %s',
    async (did) => {
      const { send, asked } = inboundWorld()
      const reason = expect.stringContaining('no DID that can be read') as unknown
      expect(await send(invitationId, requestWith(did))).toEqual({ reason })
      expect(asked).toEqual([])
    },
  )

  it('of another address is not answered by the older handshake', async () => {
    const { send, asked } = inboundWorld()
    const reason = 'The request does not name this invitation.'
    expect(await send(invitationId, oldRequestOf(theirService, { pthid: 'inv_00bbbbbbbb' }))).toEqual({
      reason,
    })
    expect(asked).toEqual([])
  })

  it('takes requests alone, and says so', async () => {
    const { send, asked } = inboundWorld()
    const ping = { id: 'p', type: 'trust_ping/1.0/ping' }
    const reason = expect.stringContaining('invitation') as unknown
    expect(await send(invitationId, composeMessage(ping))).toEqual({ reason })
    const here = { ...ping, '~transport': { return_route: 'all' } }
    expect(await send(invitationId, composeMessage(here))).toHaveProperty('answer')
    const ack = { ...here, type: 'notification/1.0/ack' }
    expect(await send(invitationId, composeMessage(ack))).toBe('refused')
    expect(asked).toEqual([])
  })
})
