import { describe, expect, it } from 'vitest'
import { unpack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import type { Received } from '../../../src/didcomm/opened-envelope.ts'
import { peer2Did } from '../../../src/didcomm/peer-did-2.ts'
import { documentFor, genesisDid, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { messageLate, messageUnexpected } from '../../../src/domain/exchange.ts'
import { OLD_PREFIX, PREFIX } from '../../../src/domain/message-prefix.ts'
import {
  connectionId,
  inboundWorld,
  invitationId,
  own,
  ownSeed,
  theirService,
  wallet,
} from '../inbound-world.ts'

const hereAnd = { '~transport': { return_route: 'all' } }

type Fields = Readonly<Record<string, unknown>>
const say = (type: string, fields: Fields = {}) => composeMessage({ id: 'm-1', type, ...fields })

const openedBy = (received: Received, key = wallet) => {
  if (typeof received === 'string' || !('answer' in received)) throw new Error('there is no answer here')
  const opened = unpack(received.answer, (each) => (each === key.publicKeyBase58 ? key : null))
  expect(opened.senderKey).toBe(own.publicKeyBase58)
  const message = parseMessage(opened.message)
  if (message === null) throw new Error('the answer is no message')
  return message
}

describe('a ping', () => {
  it.each([PREFIX, OLD_PREFIX])('is answered in its thread and with its prefix: %s', async (prefix) => {
    const { send, said, asked } = inboundWorld()
    expect(await send(connectionId, say('trust_ping/1.0/ping', { prefix }))).toBe('accepted')
    expect(await said()).toMatchObject([
      {
        to: { service: theirService, ownSeed },
        message: { '@type': `${prefix}trust_ping/1.0/ping_response`, '~thread': { thid: 'm-1' } },
      },
    ])
    expect(asked).toEqual([])
  })

  it('is answered on the way that it came, where its sender takes that there', async () => {
    const { send, said } = inboundWorld()
    const received = await send(connectionId, say('trust_ping/1.0/ping', hereAnd))
    expect(openedBy(received)).toMatchObject({ type: 'trust_ping/1.0/ping_response', threadId: 'm-1' })
    const thread = { '~transport': { return_route: 'thread', return_route_thread: 'm-1' } }
    expect(openedBy(await send(connectionId, say('trust_ping/1.0/ping', thread))).threadId).toBe('m-1')
    expect(await said()).toEqual([])
  })

  it('that wants no answer gets none', async () => {
    const { send, said } = inboundWorld()
    const ping = say('trust_ping/1.0/ping', { response_requested: false, ...hereAnd })
    expect(await send(connectionId, ping)).toBe('accepted')
    expect(await said()).toEqual([])
  })

  it('from a wallet whose handshake is not complete makes us write to nobody', async () => {
    const { send, said } = inboundWorld({}, 'response-sent')
    const reason = 'The connection is not completed.'
    expect(await send(connectionId, say('trust_ping/1.0/ping'))).toEqual({ reason })
    expect(await said()).toEqual([])
  })

  it('completes the older handshake', async () => {
    const con = { tenant: 'ten_1', ownSeed, theirService, protocol: 'connections/1.0' }
    const { send, said, asked } = inboundWorld({ con: { ...con, status: 'response-sent' } })
    expect(await send(connectionId, say('trust_ping/1.0/ping'))).toBe('accepted')
    expect(asked).toMatchObject([{ actor: connectionId, command: { type: 'ReceiveConnectionComplete' } }])
    expect(await said()).toHaveLength(1)
    const over = inboundWorld({
      con: { ...con, status: 'response-sent' },
      ReceiveConnectionComplete: messageLate,
    })
    expect(await over.send(connectionId, say('trust_ping/1.0/ping'))).toEqual({
      reason: 'The connection is not completed.',
    })
  })
})

describe('a question what is spoken here', () => {
  const asked = async (type: string, fields: Fields) => {
    const { send } = inboundWorld()
    return openedBy(await send(connectionId, say(type, { ...fields, ...hereAnd })))
  }
  const protocolsIn = (body: Fields): readonly string[] =>
    (body['protocols'] as { pid: string }[]).map(({ pid }) => pid)

  it('is answered in version 1.0', async () => {
    const query = 'https://didcomm.org/issue-credential/2.0'
    const exact = await asked('discover-features/1.0/query', { query })
    expect(exact.type).toBe('discover-features/1.0/disclose')
    expect(exact.body['protocols']).toEqual([{ pid: query, roles: ['issuer'] }])
    const all = await asked('discover-features/1.0/query', { query: '*' })
    expect(protocolsIn(all.body)).toContain('https://didcomm.org/did-rotate/1.0')
    const some = await asked('discover-features/1.0/query', { query: 'https://didcomm.org/didexchange/*' })
    expect(protocolsIn(some.body)).toHaveLength(2)
    const ours = await asked('discover-features/1.0/query', { query: 'urn:vouchsafe:didcomm/*' })
    expect(ours.body['protocols']).toEqual([
      { pid: 'urn:vouchsafe:didcomm/biometric-check/1.0', roles: ['requester'] },
    ])
    expect(protocolsIn(all.body)).toContain('urn:vouchsafe:didcomm/biometric-check/1.0')
    for (const other of ['https://didcomm.org/*/1.0', 'https://didcomm.org/messagepickup/2.0', 7])
      expect((await asked('discover-features/1.0/query', { query: other })).body['protocols']).toEqual([])
  })

  it('is answered in version 2.0, each protocol once', async () => {
    const queries = [
      { 'feature-type': 'protocol', match: 'https://didcomm.org/trust_ping/1.0' },
      { 'feature-type': 'protocol', match: 'https://didcomm.org/trust_ping/*' },
      { 'feature-type': 'protocol', match: 'urn:vouchsafe:didcomm/biometric-check/*' },
      { 'feature-type': 'goal-code', match: '*' },
      'odd',
    ]
    const { type, body } = await asked('discover-features/2.0/queries', { queries })
    expect(type).toBe('discover-features/2.0/disclosures')
    expect(body['disclosures']).toEqual([
      { 'feature-type': 'protocol', id: 'https://didcomm.org/trust_ping/1.0', roles: ['receiver'] },
      {
        'feature-type': 'protocol',
        id: 'urn:vouchsafe:didcomm/biometric-check/1.0',
        roles: ['requester'],
      },
    ])
    const odd = await asked('discover-features/2.0/queries', { queries: 'odd' })
    expect(odd.body['disclosures']).toEqual([])
  })
})

describe('a wallet that says what it knows', () => {
  it('is offered credentials in that format from then on', async () => {
    const con = { tenant: 'ten_1', ownSeed, theirService }
    const { send, asked } = inboundWorld({ con })
    const disclosures = [
      { 'feature-type': 'protocol', id: 'https://didcomm.org/issue-credential/2.0' },
      { 'feature-type': 'attachment-format', id: 'hlindy/cred-req@v2.0' },
    ]
    const message = say('discover-features/2.0/disclosures', { disclosures })
    expect(await send(connectionId, message)).toBe('accepted')
    const command = { type: 'RecordFormats', formats: ['hlindy'] }
    expect(asked).toMatchObject([{ actor: connectionId, command }])
  })
})

describe('the reuse of a handshake', () => {
  const reuse = (pthid: string) =>
    say('out-of-band/1.1/handshake-reuse', { thread: { thid: 'm-1', pthid }, ...hereAnd })

  it('uses the invitation as a new connection would, and is accepted', async () => {
    const { send, asked } = inboundWorld()
    const accepted = openedBy(await send(connectionId, reuse(invitationId)))
    expect(accepted).toMatchObject({
      type: 'out-of-band/1.1/handshake-reuse-accepted',
      threadId: 'm-1',
      parentThreadId: invitationId,
    })
    expect(asked).toMatchObject([
      { actor: invitationId, command: { type: 'AdmitHolder', connectionId } },
      { actor: connectionId, command: { type: 'RecordReuse', invitationId } },
    ])
  })

  it('is said once of each invitation, and accepted as often as its wallet asks', async () => {
    const con = { tenant: 'ten_1', ownSeed, theirService, reusedFor: [invitationId] }
    const { send, asked } = inboundWorld({ con })
    const accepted = openedBy(await send(connectionId, reuse(invitationId)))
    expect(accepted.type).toBe('out-of-band/1.1/handshake-reuse-accepted')
    expect(asked).toMatchObject([{ command: { type: 'AdmitHolder' } }])
  })

  it.each([
    ['of another organisation', { inv: { tenant: 'ten_2', ownSeed } }],
    ['that was used by another wallet', { AdmitHolder: messageLate }],
    ['for a connection that ended meanwhile', { RecordReuse: messageLate }],
  ])('of an invitation %s is refused', async (_, answers) => {
    const { send } = inboundWorld(answers)
    const refused = openedBy(await send(connectionId, reuse(invitationId)))
    expect(refused).toMatchObject({
      type: 'out-of-band/1.1/problem-report',
      body: { description: { code: 'existing_connection_not_active' } },
    })
  })

  it('for more invitations than a connection remembers is refused, and uses none up', async () => {
    const reusedFor = Array.from({ length: 16 }, (_, each) => `inv_${each}`)
    const { send, asked } = inboundWorld({ con: { tenant: 'ten_1', ownSeed, theirService, reusedFor } })
    const refused = openedBy(await send(connectionId, reuse(invitationId)))
    expect(refused.body['description']).toMatchObject({ code: 'existing_connection_not_active' })
    expect(asked).toEqual([])
  })

  it('of what is no invitation changes nothing', async () => {
    const { send, asked } = inboundWorld()
    for (const pthid of ['elsewhere', connectionId])
      expect(openedBy(await send(connectionId, reuse(pthid))).type).toBe('out-of-band/1.1/problem-report')
    expect(asked).toEqual([])
  })
})

describe('another DID of the wallet', () => {
  const phone = createKeyPair()
  const service = {
    endpoint: 'https://phone.example',
    recipientKeys: [phone.publicKeyBase58],
    routingKeys: [],
  }
  const rotate = (to_did: unknown) => say('did-rotate/1.0/rotate', { to_did })

  it.each([peer2Did(service), longFormDid(documentFor(service))])(
    'is taken, and the old one hears so: %.12s',
    async (did) => {
      const { send, said, asked } = inboundWorld()
      expect(await send(connectionId, rotate(did))).toBe('accepted')
      const senderKey = wallet.publicKeyBase58
      const command = { type: 'RotateDid', senderKey, theirDid: did, theirService: service }
      expect(asked).toMatchObject([{ actor: connectionId, command }])
      expect(await said()).toMatchObject([
        {
          to: { service: theirService },
          message: { '@type': `${PREFIX}did-rotate/1.0/ack`, '~thread': { thid: 'm-1' } },
        },
      ])
    },
  )

  it('that is said again under the old one is heard there again', async () => {
    const con = {
      tenant: 'ten_1',
      ownSeed,
      theirService: service,
      former: { service: theirService, untilMs: 8 },
    }
    const { send, said } = inboundWorld({ con })
    expect(await send(connectionId, rotate(peer2Did(service)))).toBe('accepted')
    expect(await said()).toMatchObject([{ to: { service: theirService } }])
    const late = inboundWorld({ con: { ...con, former: { service: theirService, untilMs: 7 } } })
    expect(await late.send(connectionId, rotate(peer2Did(service)))).toBe('refused')
  })

  it('is heard by nobody once the connection is closed, or has another one by then', async () => {
    const did = peer2Did(service)
    let status = 'completed'
    const RotateDid = (command: object) => {
      status = 'closed'
      return command
    }
    const closing = inboundWorld({ RotateDid }, () => status)
    expect(await closing.send(connectionId, rotate(did))).toBe('accepted')
    expect(await closing.said()).toEqual([])
    const other = inboundWorld({ RotateDid: { theirDid: 'did:peer:2.W' } })
    expect(await other.send(connectionId, rotate(did))).toBe('accepted')
    expect(await other.said()).toMatchObject([
      { message: { description: { code: 'e.did.doc_unsupported' } } },
    ])
  })

  it('is taken wherever its address leads, where it waits behind our own mediator', async () => {
    const here = { ...service, endpoint: 'http://127.0.0.1' }
    const { send, asked } = inboundWorld({ isOurs: true })
    await send(connectionId, rotate(peer2Did(here)))
    expect(asked).toMatchObject([{ command: { type: 'RotateDid', theirService: here } }])
  })

  it.each([
    ['e.did.unresolvable', undefined],
    ['e.did.unresolvable', 'did:peer:2.V'],
    ['e.did.unresolvable', longFormDid(documentFor(service)).split(':').slice(0, 3).join(':')],
    ['e.did.method_unsupported', genesisDid(documentFor(service))],
    ['e.did.method_unsupported', 'did:web:phone.example'],
    ['e.did.doc_unsupported', longFormDid({ service: [] })],
    ['e.did.doc_unsupported', peer2Did({ ...service, endpoint: 'didcomm:transport/queue' })],
    ['e.did.doc_unsupported', peer2Did({ ...service, endpoint: 'https://127.0.0.1' })],
  ])('that cannot be written to is refused with %s, and changes nothing', async (code, did) => {
    const { send, said, asked } = inboundWorld()
    expect(await send(connectionId, rotate(did))).toBe('accepted')
    expect(await said()).toMatchObject([
      { message: { '@type': `${PREFIX}did-rotate/1.0/problem-report`, description: { code } } },
    ])
    expect(asked).toEqual([])
  })
})

it('another DID of the wallet so soon after the last one is refused', async () => {
  const did = peer2Did({ ...theirService, endpoint: 'https://phone.example' })
  const { send, said } = inboundWorld({ RotateDid: messageUnexpected })
  await send(connectionId, say('did-rotate/1.0/rotate', { to_did: did }))
  expect(await said()).toMatchObject([{ message: { description: { code: 'e.did.doc_unsupported' } } }])
})

describe('a wallet that hangs up', () => {
  it('with a key that it gave up before hears that nothing came of it', async () => {
    const { send, said } = inboundWorld({ ReceiveHangup: messageUnexpected })
    expect(await send(connectionId, say('did-rotate/1.0/hangup'))).toBe('accepted')
    expect(await said()).toMatchObject([
      { message: { '@type': `${PREFIX}did-rotate/1.0/problem-report`, '~thread': { thid: 'm-1' } } },
    ])
  })

  it('closes the connection, and is not answered', async () => {
    const { send, said, asked } = inboundWorld()
    expect(await send(connectionId, say('did-rotate/1.0/hangup', hereAnd))).toBe('accepted')
    expect(asked).toMatchObject([
      { actor: connectionId, command: { type: 'ReceiveHangup', senderKey: wallet.publicKeyBase58 } },
    ])
    expect(await said()).toEqual([])
  })
})
