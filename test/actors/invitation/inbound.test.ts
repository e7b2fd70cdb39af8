import { describe, expect, it } from 'vitest'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { inboundWorld, invitationId, ownSeed, stranger, theirService } from '../inbound-world.ts'

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
    const { asked, send } = inboundWorld()
    expect(await send(invitationId, handshake())).toBe('accepted')
    expect(await send(invitationId, handshake())).toBe('accepted')
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
    const { asked, send } = inboundWorld()
    await send(invitationId, handshake())
    const recipientKeys = [stranger.publicKeyBase58]
    await send(invitationId, handshake('request-1', invitationId, { recipientKeys }), stranger)
    await send(invitationId, handshake('request-2'))
    const actors = asked
      .filter(({ command }) => command.type === 'RequestConnection')
      .map(({ actor }) => actor)
    expect(new Set(actors).size).toBe(3)
  })

  it('is refused when somebody else was admitted, and its sender is told', async () => {
    const { send, reports } = inboundWorld({ AdmitHolder: refuse('connection_not_ready', 'r') })
    expect(await send(invitationId, handshake())).toBe('refused')
    expect(await reports()).toEqual([
      { to: { service: theirService, ownSeed }, text: expect.stringContaining('one holder') as unknown },
    ])
  })

  it.each([
    ['keys that are not its sender’s', { recipientKeys: [stranger.publicKeyBase58] }],
    ['an address that is no web address', { endpoint: 'javascript:alert(1)' }],
    ['a host that no name server knows', { endpoint: `https://${'a'.repeat(900)}.example` }],
  ])('is refused before it uses the invitation up: %s', async (_what, service) => {
    const { send, read, asked } = inboundWorld()
    expect(await send(invitationId, handshake('r', invitationId, service))).toBe('refused')
    expect([read, asked]).toEqual([[invitationId], []])
  })

  it('is refused when it is anonymous, and when it is for another invitation', async () => {
    expect(await inboundWorld().send(invitationId, handshake(), null)).toBe('refused')
    expect(await inboundWorld().send(invitationId, handshake('r', 'inv_00bbbbbbbbbb'))).toBe('refused')
  })
})
