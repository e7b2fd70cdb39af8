import { actorsThat } from '../../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import { formatFields } from '../../../src/didcomm/attachment.ts'
import { pack } from '../../../src/didcomm/envelope.ts'
import { receiveEnvelope } from '../../../src/actors/connection/inbound.ts'
import { createKeyPair, seedOf } from '../../../src/didcomm/keys.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'

const own = createKeyPair()
const wallet = createKeyPair()
const stranger = createKeyPair()
const invitationId = 'inv_00aaaaaaaaaa'
const connectionId = 'con_00aaaaaaaaaa'
const credentialId = 'cre_00aaaaaaaaaa'
const theirService = {
  endpoint: 'https://wallet.example',
  recipientKeys: [wallet.publicKeyBase58],
  routingKeys: [],
}

/** An invitation and a connection that answer as their actors would; everything asked is kept. */
const world = (answers: Record<string, unknown> = {}) => {
  const asked: { actor: string; command: { type: string }; commandId: string }[] = []
  const problems: string[] = []
  const strangers: unknown[] = []
  const ownSeed = seedOf(own).toString('base64url')
  const standard: Record<string, unknown> = {
    ReadInvitation: { invitation: { tenant: 'ten_1', externalId: 'x', ownSeed } },
    AdmitHolder: { invitation: {} },
    ReadConnection: { connection: { ownSeed, theirService, status: 'completed' } },
    ...answers,
  }
  const actors = actorsThat({
    ask: (actor: string, command: unknown, { commandId }: { commandId: string }) => {
      const { type } = command as { type: string }
      asked.push({ actor, command: { ...(command as { type: string }) }, commandId })
      return Promise.resolve(standard[type] ?? { met: 'taken' })
    },
  })
  const ports = {
    actors,
    runtime: { now: () => 7 },
    askTimeoutMs: 100,
    tellProblem: (_: string, __: unknown, text: string) => problems.push(text),
    tellStranger: (to: unknown, __: unknown, text: string) => strangers.push({ to, text }),
  }
  const receive = (address: string, message: string, sender: typeof wallet | null = wallet, to = own) =>
    receiveEnvelope(ports, address, pack(message, [to.publicKeyBase58], sender))
  return { asked, problems, strangers, receive, ports }
}

const handshake = (id = 'request-1', pthid = invitationId, service: object = theirService): string =>
  composeMessage({
    id,
    type: 'didexchange/1.1/request',
    thread: { thid: id, pthid },
    label: 'Phone',
    did: longFormDid(documentFor({ ...theirService, ...service })),
  })

describe('an envelope for an invitation', () => {
  it('makes a connection, the same one each time it is sent', async () => {
    const { asked, receive } = world()
    expect(await receive(invitationId, handshake())).toBe('accepted')
    expect(await receive(invitationId, handshake())).toBe('accepted')
    const made = asked.filter(({ command }) => command.type === 'RequestConnection')
    expect(made).toHaveLength(2)
    expect(made[0]?.actor).toBe(made[1]?.actor)
    expect(made[0]?.commandId).toBe(made[1]?.commandId)
    expect(made[0]?.command).toMatchObject({
      tenant: 'ten_1',
      externalId: 'x',
      theirLabel: 'Phone',
      theirService,
    })
  })

  it('from another sender, or another request, is another connection', async () => {
    const { asked, receive } = world()
    await receive(invitationId, handshake())
    const recipientKeys = [stranger.publicKeyBase58]
    await receive(invitationId, handshake('request-1', invitationId, { recipientKeys }), stranger)
    await receive(invitationId, handshake('request-2'))
    const actors = asked
      .filter(({ command }) => command.type === 'RequestConnection')
      .map(({ actor }) => actor)
    expect(new Set(actors).size).toBe(3)
  })

  it('is refused when somebody else was admitted, and its sender is told', async () => {
    const { receive, strangers } = world({ AdmitHolder: { refused: 'connection_not_ready' } })
    expect(await receive(invitationId, handshake())).toBe('refused')
    const to = { service: theirService, ownSeed: seedOf(own).toString('base64url') }
    expect(strangers).toEqual([{ to, text: expect.stringContaining('one holder') as unknown }])
  })

  it.each([
    ['keys that are not its sender’s', { recipientKeys: [stranger.publicKeyBase58] }],
    ['an address that is no web address', { endpoint: 'javascript:alert(1)' }],
    ['a host that no name server knows', { endpoint: `https://${'a'.repeat(900)}.example` }],
  ])('is refused before it uses the invitation up: %s', async (_what, service) => {
    const { receive, asked } = world()
    expect(await receive(invitationId, handshake('r', invitationId, service))).toBe('refused')
    expect(asked.map(({ command }) => command.type)).toEqual(['ReadInvitation'])
  })

  it('is refused when it is anonymous, and when it is for another invitation', async () => {
    expect(await world().receive(invitationId, handshake(), null)).toBe('refused')
    expect(await world().receive(invitationId, handshake('r', 'inv_00bbbbbbbbbb'))).toBe('refused')
  })
})

describe('an envelope for a connection', () => {
  const fields = formatFields('requests~attach', 'anoncreds/credential-request@v1.0', {})
  const request = composeMessage({
    id: 'm-1',
    type: 'issue-credential/2.0/request-credential',
    thread: { thid: credentialId },
    ...fields,
  })

  it('becomes a command of the exchange in its thread, once under its message id', async () => {
    const { asked, receive } = world()
    expect(await receive(connectionId, request)).toBe('accepted')
    expect(asked.at(-1)).toMatchObject({
      actor: credentialId,
      command: { type: 'ReceiveCredentialRequest', from: connectionId, atMs: 7 },
      commandId: `${connectionId}:m-1`,
    })
  })

  it('completes the handshake', async () => {
    const { asked, receive } = world()
    await receive(
      connectionId,
      composeMessage({ id: 'c', type: 'didexchange/1.1/complete', thread: { thid: 't' } }),
    )
    expect(asked.at(-1)).toMatchObject({
      actor: connectionId,
      command: { type: 'ReceiveConnectionComplete' },
    })
  })

  it('from anybody but the wallet is refused', async () => {
    expect(await world().receive(connectionId, request, stranger)).toBe('refused')
    expect(await world().receive(connectionId, request, null)).toBe('refused')
    expect(await world().receive(connectionId, request, wallet, stranger)).toBe('refused')
  })

  it('that comes too late is answered by a problem report, a problem report never is', async () => {
    const late = world({
      ReceiveCredentialRequest: { met: 'late' },
      ReceiveCredentialProblem: { met: 'late' },
    })
    await late.receive(connectionId, request)
    expect(late.problems).toHaveLength(1)
    await late.receive(
      connectionId,
      composeMessage({ id: 'p', type: 'notification/1.0/problem-report', thread: { thid: credentialId } }),
    )
    expect(late.problems).toHaveLength(1)
  })

  it('that proposes something is answered by a problem report', async () => {
    const { problems, receive } = world()
    await receive(connectionId, composeMessage({ id: 'p1', type: 'issue-credential/2.0/propose-credential' }))
    await receive(connectionId, composeMessage({ id: 'p2', type: 'present-proof/2.0/propose-presentation' }))
    expect(problems).toHaveLength(2)
  })

  it('of a protocol that is not spoken here is taken and dropped', async () => {
    const { asked, receive } = world()
    expect(await receive(connectionId, composeMessage({ id: 'b', type: 'basicmessage/1.0/message' }))).toBe(
      'accepted',
    )
    expect(asked.map(({ command }) => command.type)).toEqual(['ReadConnection'])
  })
})

describe('an envelope for anybody else', () => {
  it('is refused', async () => {
    const { ports } = world()
    for (const address of ['', 'nonsense', 'ten_00aaaaaaaaaa', credentialId]) {
      expect(await receiveEnvelope(ports, address, '{}')).toBe('refused')
    }
    expect(await receiveEnvelope(ports, connectionId, 'no envelope')).toBe('refused')
  })
})
