import { describe, expect, it } from 'vitest'
import { composeMessage, fieldsWithAttachment } from '../../../src/didcomm/message.ts'
import { pack } from '../../../src/didcomm/envelope.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { messageLate, proposed } from '../../../src/domain/exchange.ts'
import { ActorFailed } from '../../../src/ports/actors.ts'
import { OLD_PREFIX, PREFIX } from '../../../src/domain/message-prefix.ts'
import {
  connectionId,
  credentialId,
  inboundWorld,
  invitationId,
  own,
  ownSeed,
  proofId,
  stranger,
  theirService,
  wallet,
} from '../inbound-world.ts'

describe('an envelope for a connection', () => {
  const fields = fieldsWithAttachment('requests~attach', 'anoncreds/credential-request@v1.0', '{}')
  const request = composeMessage({
    id: 'm-1',
    type: 'issue-credential/2.0/request-credential',
    thread: { thid: credentialId },
    ...fields,
  })

  it('becomes a command of the exchange in its thread, once under its message id', async () => {
    const { asked, send, reports } = inboundWorld()
    expect(await send(connectionId, request)).toBe('accepted')
    expect(asked.at(-1)).toMatchObject({
      actor: credentialId,
      command: { type: 'ReceiveCredentialRequest', from: connectionId, atMs: 7 },
      commandId: `${connectionId}:m-1`,
    })
    expect(await reports()).toEqual([])
  })

  it('completes the handshake', async () => {
    const { asked, send } = inboundWorld()
    await send(
      connectionId,
      composeMessage({ id: 'c', type: 'didexchange/1.1/complete', thread: { thid: 't' } }),
    )
    expect(asked.at(-1)).toMatchObject({
      actor: connectionId,
      command: { type: 'ReceiveConnectionComplete' },
    })
  })

  it('from anybody but the wallet is refused', async () => {
    expect(await inboundWorld().send(connectionId, request, stranger)).toBe('refused')
    expect(await inboundWorld().send(connectionId, request, null)).toBe('refused')
    expect(await inboundWorld().send(connectionId, request, wallet, stranger)).toBe('refused')
  })

  it('without its ciphertext shows whether it is the wallet’s', async () => {
    const { isKnown, asked } = inboundWorld()
    const head = (sender: typeof wallet | null): string => {
      const whole = JSON.parse(pack(request, [own.publicKeyBase58], sender)) as object
      return JSON.stringify({ ...whole, ciphertext: '' })
    }
    expect(await isKnown(connectionId, head(wallet))).toBe(true)
    expect(await isKnown(connectionId, head(stranger))).toBe(false)
    expect(await isKnown(connectionId, head(null))).toBe(false)
    expect(await isKnown(connectionId, 'no envelope')).toBe(false)
    // An invitation has no sender whom it knows.
    expect(await isKnown(invitationId, head(wallet))).toBe(false)
    expect(await isKnown('elsewhere', head(wallet))).toBe(false)
    expect(asked).toEqual([])
  })

  it('that comes too late is answered by a problem report, a problem report never is', async () => {
    const late = inboundWorld({
      ReceiveCredentialRequest: messageLate,
      ReceiveCredentialProblem: messageLate,
    })
    await late.send(connectionId, request)
    expect(await late.reports()).toHaveLength(1)
    await late.send(
      connectionId,
      composeMessage({ id: 'p', type: 'notification/1.0/problem-report', thread: { thid: credentialId } }),
    )
    expect(await late.reports()).toHaveLength(1)
  })

  it('that meets the erasure of its connection is taken and dropped', async () => {
    const problem = composeMessage({
      id: 'p',
      type: 'issue-credential/2.0/problem-report',
      thread: { thid: credentialId },
    })
    let status = 'completed'
    const meeting = (after: string) => {
      status = 'completed'
      const ReceiveCredentialProblem = () => {
        status = after
        throw new ActorFailed(credentialId)
      }
      return inboundWorld({ ReceiveCredentialProblem }, () => status)
    }
    const { reports, send } = meeting('closed')
    expect(await send(connectionId, problem)).toBe('accepted')
    expect(await reports()).toEqual([])
    await expect(meeting('completed').send(connectionId, problem)).rejects.toThrow(ActorFailed)
  })

  it('that proposes something is answered by a problem report', async () => {
    const { reports, send } = inboundWorld()
    const propose = (id: string, type: string) =>
      send(connectionId, composeMessage({ id, type, prefix: OLD_PREFIX }))
    expect(await propose('p1', 'issue-credential/2.0/propose-credential')).toBe('accepted')
    expect(await propose('p2', 'present-proof/2.0/propose-presentation')).toBe('accepted')
    expect(await reports()).toMatchObject([
      {
        type: `${OLD_PREFIX}issue-credential/2.0/problem-report`,
        code: 'issuance-abandoned',
        text: proposed.problem,
      },
      {
        type: `${OLD_PREFIX}present-proof/2.0/problem-report`,
        code: 'abandoned',
        text: proposed.problem,
      },
    ])
  })

  it('that proposes something else in the thread of an exchange is for that exchange', async () => {
    const { asked, reports, send } = inboundWorld()
    for (const [type, thid] of [
      ['issue-credential/2.0/propose-credential', credentialId],
      ['present-proof/2.0/propose-presentation', proofId],
    ] as const)
      expect(await send(connectionId, composeMessage({ id: thid, type, thread: { thid } }))).toBe('accepted')
    expect(asked).toMatchObject([
      { actor: credentialId, command: { type: 'ReceiveCredentialProposal', from: connectionId } },
      { actor: proofId, command: { type: 'ReceiveProofProposal', from: connectionId } },
    ])
    expect(await reports()).toEqual([])
  })

  it.each(['problem_report', 'problem-report'])(
    'that refuses the handshake by a %s ends it',
    async (name) => {
      const { asked, reports, send } = inboundWorld({}, 'response-sent')
      const said = { 'problem-code': 'response_not_accepted', explain: 'No key.' }
      const message = { id: 'r', type: `didexchange/1.1/${name}`, thread: { thid: 't' }, ...said }
      expect(await send(connectionId, composeMessage(message))).toBe('accepted')
      const command = { type: 'ReceiveConnectionProblem', code: 'response_not_accepted', text: 'No key.' }
      expect(asked).toMatchObject([{ actor: connectionId, command }])
      expect(await reports()).toEqual([])
    },
  )

  it('that completes a handshake which was given up asks for the word that it is over', async () => {
    const { asked, reports, send } = inboundWorld({ ReceiveConnectionComplete: messageLate }, 'abandoned')
    const complete = composeMessage({ id: 'c', type: 'didexchange/1.0/complete', thread: { thid: 't' } })
    for (let each = 0; each < 2; each++) expect(await send(connectionId, complete)).toBe('accepted')
    const repeats = asked.filter(({ command }) => command.type === 'RepeatRequest')
    expect(new Set(repeats.map(({ actor, commandId }) => actor + commandId)).size).toBe(2)
    expect(await reports()).toEqual([])
  })

  it('that completes one of which nothing more is said hears so in the answer', async () => {
    const RepeatRequest = { status: 'abandoned', attempts: { again: 'never' } }
    const answers = { ReceiveConnectionComplete: messageLate, RepeatRequest }
    const { send } = inboundWorld(answers, 'abandoned')
    const complete = composeMessage({ id: 'c', type: 'didexchange/1.0/complete', thread: { thid: 't' } })
    const reason = expect.stringContaining('given up') as unknown
    expect(await send(connectionId, complete)).toEqual({ reason })
  })

  it.each(['request-received', 'response-sent', 'abandoned'])(
    'that proposes something in state %s is written to by nothing but its handshake',
    async (status) => {
      const { reports, send } = inboundWorld({}, status)
      const proposal = composeMessage({ id: 'p', type: 'issue-credential/2.0/propose-credential' })
      const reason = expect.stringContaining('not completed') as unknown
      expect(await send(connectionId, proposal)).toEqual({ reason })
      expect(await reports()).toEqual([])
    },
  )

  it('that asks for a short answer too often within a minute may be sent again later', async () => {
    const { send } = inboundWorld({ reports: 'hang' })
    const proposal = (id: string) => composeMessage({ id, type: 'issue-credential/2.0/propose-credential' })
    for (let each = 0; each < 30; each++)
      expect(await send(connectionId, proposal(`p${each}`))).toBe('accepted')
    const later = await send(connectionId, proposal('p30'))
    expect(later).toHaveProperty('retryAfterMs')
  })

  it('of a protocol that is not spoken here is taken, and answered by a problem report', async () => {
    const { asked, send, reports } = inboundWorld()
    const chat = { id: 'b', type: 'basicmessage/1.0/message', prefix: OLD_PREFIX } as const
    expect(await send(connectionId, composeMessage(chat))).toBe('accepted')
    expect(await reports()).toMatchObject([
      { type: `${OLD_PREFIX}notification/1.0/problem-report`, code: 'message-parse-failure' },
    ])
    expect(asked).toEqual([])
  })

  it.each([
    'notification/1.0/ack',
    'trust_ping/1.0/ping_response',
    'discover-features/2.0/disclosures',
    'some-protocol/1.0/problem-report',
  ])('that ends a conversation is taken and not answered: %s', async (type) => {
    const { asked, read, send, reports } = inboundWorld()
    expect(await send(connectionId, composeMessage({ id: 'b', type }))).toBe('accepted')
    expect([read, asked, await reports()]).toEqual([[connectionId], [], []])
  })

  it.each([
    ['anoncreds/credential-request@v1.0', '{"entropy":"e"}', 'anoncreds', ['anoncreds']],
    ['hlindy/cred-req@v2.0', '{"prover_did":"d"}', 'hlindy', ['hlindy']],
    // As ACA-Py does with its older wallet.
    ['anoncreds/credential-request@v1.0', '{"prover_did":"d"}', 'anoncreds', ['hlindy']],
  ] as const)('shows once which format its wallet knows: %s %s', async (name, content, format, formats) => {
    const inFormat = composeMessage({
      id: 'm-1',
      type: 'issue-credential/2.0/request-credential',
      thread: { thid: credentialId },
      ...fieldsWithAttachment('requests~attach', name, content),
    })
    const con = { tenant: 'ten_1', ownSeed, theirService }
    const fresh = inboundWorld({ con })
    await fresh.send(connectionId, inFormat)
    expect(fresh.asked).toMatchObject([
      { actor: credentialId, command: { type: 'ReceiveCredentialRequest', format } },
      { actor: connectionId, command: { type: 'RecordFormats', formats } },
    ])
    const known = inboundWorld({ con: { ...con, formats } })
    await known.send(connectionId, inFormat)
    expect(known.asked).toHaveLength(1)
    const late = inboundWorld({ con, ReceiveCredentialRequest: messageLate })
    await late.send(connectionId, inFormat)
    expect(late.asked).toHaveLength(1)
  })
})

describe('what a holder’s message encloses', () => {
  const requestAs = (id: string) =>
    composeMessage({
      id,
      type: 'issue-credential/2.0/request-credential',
      thread: { thid: credentialId },
      ...fieldsWithAttachment('requests~attach', 'anoncreds/credential-request@v1.0', '{"a":1}'),
    })
  /** The exchange after it took the request. */
  const took = (command: { request: object }) => ({
    status: 'request-received',
    connectionId,
    request: command.request,
  })

  it('is durable before its command is given, and stays when an event names it', async () => {
    const { asked, bodies, send } = inboundWorld({ ReceiveCredentialRequest: took })
    await send(connectionId, requestAs('m-1'))
    const [name = ''] = bodies.kept.keys()
    expect(asked.at(-1)?.command).toMatchObject({ request: { id: name.slice(credentialId.length + 1) } })
    expect(bodies.calls).toEqual([`put ${credentialId}`])
  })

  it('leaves nothing behind when the exchange refuses it, or has taken another', async () => {
    const refusing = inboundWorld({ ReceiveCredentialRequest: messageLate })
    await refusing.send(connectionId, requestAs('m-1'))
    expect(refusing.bodies.kept.size).toBe(0)
    const other = inboundWorld({ ReceiveCredentialRequest: took({ request: { id: 'other', hash: 'h' } }) })
    await other.send(connectionId, requestAs('m-1'))
    expect(other.bodies.calls).toEqual([`put ${credentialId}`, `delete ${credentialId}`])
    expect(other.bodies.kept.size).toBe(0)
  })

  it('is not kept at all for an exchange of another connection, or one that waits for nothing', async () => {
    for (const record of [
      { status: 'offer-sent', connectionId: 'con_00bbbbbbbbbb' },
      { status: 'done', connectionId },
      refuse('not_found', 'r'),
    ]) {
      const { asked, bodies, send } = inboundWorld({ cre: record, ReceiveCredentialRequest: messageLate })
      await send(connectionId, requestAs('m-1'))
      expect(asked.at(-1)?.command).toMatchObject({ request: null })
      expect(bodies.calls).toEqual([])
    }
  })

  it('is two bodies at most, however often it comes while no answer does', async () => {
    let isAway = true
    const away = () => {
      if (isAway) throw Object.assign(new Error('no answer'), { retryable: true })
      return { status: 'offer-sent', connectionId }
    }
    const { bodies, send } = inboundWorld({ ReceiveCredentialRequest: away })
    let most = 0
    bodies.afterPut = () => {
      most = Math.max(most, bodies.kept.size)
    }
    for (const attempt of [1, 2, 3, 4])
      await expect(send(connectionId, requestAs(`m-${attempt}`))).rejects.toThrow('no answer')
    expect(bodies.kept.size).toBe(1)
    isAway = false
    await Promise.all([5, 6, 7, 8].map((attempt) => send(connectionId, requestAs(`m-${attempt}`))))
    expect(bodies.kept.size).toBe(0)
    expect(most).toBeLessThanOrEqual(2)
  })
})

/** What is asked of which exchange when the holder says this. */
const asked = async (type: string, thid: string, fields: Record<string, unknown> = {}) => {
  const world = inboundWorld()
  const message = composeMessage({ id: 'message-1', type, thread: { thid }, ...fields })
  expect(await world.send(connectionId, message)).toBe('accepted')
  const [first] = world.asked
  if (first === undefined) return null
  const command: Record<string, unknown> = { ...first.command }
  const seal = await world.vault.open(first.actor)
  // A body that the command names is shown with its text; the world's actors name none, so it is deleted afterwards.
  for (const [field, value] of Object.entries(command)) {
    if (typeof value !== 'object' || value === null || !('id' in value)) continue
    command[field] = seal.open(world.sealed.get(String(value.id)) ?? '', `body ${String(value.id)}`)
  }
  expect(world.bodies.kept.size).toBe(0)
  return { exchange: first.actor, command }
}

describe('a holder’s message', () => {
  const frame = { atMs: 7, from: connectionId, prefix: PREFIX }

  it('becomes the command of the exchange that its thread names', async () => {
    const request = fieldsWithAttachment('requests~attach', 'anoncreds/credential-request@v1.0', '{"a":1}')
    const presentation = fieldsWithAttachment('presentations~attach', 'anoncreds/proof@v1.0', '{"b":2}')
    expect(await asked('issue-credential/2.0/request-credential', credentialId, request)).toEqual({
      exchange: credentialId,
      command: { type: 'ReceiveCredentialRequest', ...frame, format: 'anoncreds', request: '{"a":1}' },
    })
    expect(await asked('issue-credential/2.0/ack', credentialId)).toEqual({
      exchange: credentialId,
      command: { type: 'ReceiveCredentialAck', ...frame },
    })
    expect(await asked('present-proof/2.0/presentation', proofId, presentation)).toEqual({
      exchange: proofId,
      command: { type: 'ReceivePresentation', ...frame, presentation: '{"b":2}' },
    })
  })

  it('that nests thousands of brackets carries nothing that can be read', async () => {
    const deep = `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const attached = (name: string, format: string) => ({
      formats: [{ attach_id: 'a', format }],
      [name]: [{ '@id': 'a', data: { base64: Buffer.from(deep).toString('base64') } }],
    })
    const presentation = attached('presentations~attach', 'anoncreds/proof@v1.0')
    expect(await asked('present-proof/2.0/presentation', proofId, presentation)).toMatchObject({
      command: { presentation: 'null' },
    })
    const request = attached('requests~attach', 'anoncreds/credential-request@v1.0')
    expect(await asked('issue-credential/2.0/request-credential', credentialId, request)).toMatchObject({
      command: { request: 'null' },
    })
  })

  it('that reports a problem goes to either kind', async () => {
    const description = { description: { code: 'abandoned', en: 'No' } }
    expect(await asked('notification/1.0/problem-report', credentialId, description)).toMatchObject({
      command: { type: 'ReceiveCredentialProblem', code: 'abandoned', text: 'No' },
    })
    expect(await asked('present-proof/2.0/problem-report', proofId, description)).toMatchObject({
      command: { type: 'ReceiveProofProblem' },
    })
  })

  it('of another protocol, or in a thread that is none of ours, is nothing for an exchange', async () => {
    expect(await asked('basicmessage/1.0/message', credentialId)).toBeNull()
    expect(await asked('present-proof/2.0/presentation', credentialId)).toBeNull()
    expect(await asked('issue-credential/2.0/ack', 'a-thread-of-theirs')).toBeNull()
    expect(await asked('issue-credential/2.0/ack', 'ten_00aaaaaaaaaa')).toBeNull()
  })
})
