import { describe, expect, it } from 'vitest'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { type MessagePrefix, OLD_PREFIX, PREFIX } from '../../../src/domain/message-prefix.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { shardOf } from '../../../src/domain/references.ts'
import { inboundWorld, invitationId, ownSeed, stranger, theirService } from '../inbound-world.ts'

const handshake = (
  id = 'request-1',
  pthid = invitationId,
  service: object = theirService,
  protocol = 'didexchange/1.1',
  prefix: MessagePrefix = PREFIX,
): string =>
  composeMessage({
    id,
    prefix,
    type: `${protocol}/request`,
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

  const forOne = { tenant: 'ten_1', externalId: 'x', ownSeed, multiUse: false, winner: null }

  it('goes on with the holder whom an earlier release let in, for a connection on a shard of its own', async () => {
    const before = inboundWorld()
    await before.send(invitationId, handshake())
    const winner = before.asked[0]?.actor ?? ''
    expect(shardOf(winner)).not.toBe(shardOf(invitationId))
    const { asked, send } = inboundWorld({ inv: { ...forOne, winner } })
    expect(await send(invitationId, handshake())).toBe('accepted')
    expect(asked.map(({ actor, command }) => [actor, command.type])).toEqual([[winner, 'RequestConnection']])
  })

  it('makes the connection of an invitation for one holder in one step with its being taken', async () => {
    const { asked, read, send } = inboundWorld({ inv: forOne })
    expect(await send(invitationId, handshake())).toBe('accepted')
    const [taken, made] = asked
    expect([taken?.command.type, made?.command.type, asked.length]).toEqual([
      'AdmitHolder',
      'RequestConnection',
      2,
    ])
    expect([taken?.actor, taken?.command, taken?.commandId]).toMatchObject([
      invitationId,
      { connectionId: made?.actor },
      made?.commandId,
    ])
    expect(shardOf(made?.actor ?? '')).toBe(shardOf(invitationId))
    // No connection can be there that would have to be looked for.
    expect(read).toEqual([invitationId])
  })

  it('that comes again for an invitation for one holder finds the connection that it made', async () => {
    const first = inboundWorld({ inv: forOne })
    await first.send(invitationId, handshake())
    const winner = first.asked.at(-1)?.actor ?? ''
    const { asked, send } = inboundWorld({ inv: { ...forOne, winner } }, 'request-received', [winner])
    expect(await send(invitationId, handshake())).toBe('accepted')
    expect(asked).toMatchObject([{ actor: winner, command: { type: 'RepeatRequest' } }])
  })

  it('does not get in when somebody else was admitted, and its sender hears why', async () => {
    const { send, reports } = inboundWorld({
      inv: forOne,
      AdmitHolder: refuse('connection_not_ready', 'r'),
    })
    // A wallet sends again what was refused, and would be refused for ever.
    expect(await send(invitationId, handshake())).toBe('accepted')
    expect(await reports()).toEqual([
      {
        to: { service: theirService, ownSeed },
        type: 'https://didcomm.org/didexchange/1.1/problem_report',
        code: 'request_not_accepted',
        text: expect.stringContaining('one holder') as unknown,
      },
    ])
  })

  it('that refuses our answer ends the connection of the request in its thread', async () => {
    const before = inboundWorld()
    await before.send(invitationId, handshake())
    const connection = before.asked.at(-1)?.actor ?? ''
    const { asked, send } = inboundWorld({}, 'response-sent', [connection])
    const refusal = composeMessage({
      id: 'no',
      type: 'didexchange/1.1/problem_report',
      thread: { thid: 'request-1', pthid: invitationId },
      description: { code: 'response_not_accepted', en: 'No key.' },
    })
    expect(await send(invitationId, refusal)).toBe('accepted')
    const command = { type: 'ReceiveConnectionProblem', code: 'response_not_accepted', text: 'No key.' }
    expect(asked).toMatchObject([{ actor: connection, command }])
    // Where there is no such connection, none comes to be.
    expect(await before.send(invitationId, refusal)).toBe('refused')
  })

  it('is answered in the version and with the prefix in which it came', async () => {
    const { asked, send } = inboundWorld()
    await send(invitationId, handshake('old', invitationId, {}, 'didexchange/1.0', OLD_PREFIX))
    await send(invitationId, handshake('new', invitationId, {}, 'didexchange/1.2'))
    const made = asked.filter(({ command }) => command.type === 'RequestConnection')
    expect(made.map(({ command }) => command)).toMatchObject([
      { protocol: 'didexchange/1.0', prefix: OLD_PREFIX },
      { protocol: 'didexchange/1.1', prefix: PREFIX },
    ])
  })

  it.each([
    ['keys that are not its sender’s', { recipientKeys: [stranger.publicKeyBase58] }],
    ['an address that is no web address', { endpoint: 'javascript:alert(1)' }],
    ['a host that no name server knows', { endpoint: `https://${'a'.repeat(900)}.example` }],
  ])('is refused before it uses the invitation up: %s', async (_what, service) => {
    const { send, read, asked } = inboundWorld()
    const reason = expect.stringMatching(/^The (request|service)/) as unknown
    expect(await send(invitationId, handshake('r', invitationId, service))).toEqual({ reason })
    expect([read, asked]).toEqual([[invitationId], []])
  })

  it('is refused when it is anonymous, and when it is for another invitation', async () => {
    expect(await inboundWorld().send(invitationId, handshake(), null)).toBe('refused')
    const reason = 'The request does not name this invitation.'
    const other = handshake('r', 'inv_00bbbbbbbbbb')
    expect(await inboundWorld().send(invitationId, other)).toEqual({ reason })
  })
})
