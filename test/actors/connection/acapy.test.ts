import { describe, expect, it } from 'vitest'
import { Enclosed } from '../../../src/actors/bodies.ts'
import { parseHandshakeRequest } from '../../../src/actors/connection/messages.ts'
import { credentialMessages } from '../../../src/actors/credential/messages.ts'
import { proofMessages } from '../../../src/actors/proof/messages.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { formatsIn, type Message, parseMessage } from '../../../src/didcomm/message.ts'
import { isProblemReport } from '../../../src/didcomm/problem-report.ts'
import { isHangup, rotationIn } from '../../../src/didcomm/protocols/did-rotate.ts'
import { isHandshakeComplete } from '../../../src/didcomm/protocols/did-exchange.ts'
import { handshakeResponse, isHandshakeRequest } from '../../../src/didcomm/protocols/handshake.ts'
import { disclosuresTo } from '../../../src/didcomm/protocols/discover-features.ts'
import { pongTo } from '../../../src/didcomm/protocols/trust-ping.ts'
import { wantsNoAnswer } from '../../../src/didcomm/protocols/unspoken.ts'
import recorded from '../../fixtures/acapy/messages.json' with { type: 'json' }

type Name = keyof typeof recorded
/** As ACA-Py 1.7.0 wrote it to this service, a run by hand; of the presentation the large numbers are left out. */
const said = (name: Name): Message => {
  const message = parseMessage(JSON.stringify(recorded[name]))
  if (message === null) throw new Error(`${name} is no message`)
  return message
}
const frame = { from: 'con_1', atMs: 1, prefix: 'https://didcomm.org/' } as const
const theirService = {
  endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
  recipientKeys: [expect.any(String)],
  routingKeys: [],
}

describe('ACA-Py as a holder', () => {
  it.each([
    ['requestWithPeer2', 'did:peer:2.'],
    ['requestWithPeer4', 'did:peer:4z'],
  ] as const)('asks for a connection, and is answered with a DID of the same form: %s', (name, form) => {
    const message = said(name)
    expect(isHandshakeRequest(message)).toBe(true)
    const request = parseHandshakeRequest(message)
    if (request === null) throw new Error('it cannot be served')
    expect(request).toMatchObject({ theirLabel: 'ACA-Py', theirService, protocol: 'didexchange/1.1' })
    const key = createKeyPair().publicKeyBase58
    const own = { endpoint: 'https://here.example', recipientKeys: [key], routingKeys: [] }
    const answer = handshakeResponse({ request, own: [own], invitationKey: createKeyPair(), atMs: 1 })
    const { did, '~thread': thread } = JSON.parse(answer) as Record<string, unknown>
    expect(did).toMatch(new RegExp(`^${form.replace('.', '\\.')}`))
    // Without the id of the invitation it does not take the answer.
    expect(thread).toEqual({ thid: message.threadId, pthid: message.parentThreadId })
  })

  it('completes the handshake, pings, and asks what is spoken here', () => {
    expect(isHandshakeComplete(said('complete'))).toBe(true)
    expect(pongTo(said('ping'))).toContain('ping_response')
    const spoken = [{ protocol: 'issue-credential/2.0', roles: ['issuer'] }]
    for (const name of ['query', 'queries'] as const)
      expect(disclosuresTo(said(name), spoken)).toContain('https://didcomm.org/issue-credential/2.0')
  })

  it.each([
    ['requestOfOlderWallet', 'anoncreds', ['hlindy']],
    ['requestInOlderFormat', 'hlindy', ['hlindy']],
    ['requestOfNewerWallet', 'anoncreds', ['anoncreds']],
  ] as const)('requests a credential, and shows what it knows: %s', (name, format, known) => {
    const message = said(name)
    const enclosed = credentialMessages.commandOf(message, frame)
    if (!(enclosed instanceof Enclosed)) throw new Error('nothing is enclosed')
    expect(enclosed.commandWith({ id: 'b', hash: 'h' })).toMatchObject({ format })
    expect(JSON.parse(enclosed.text)).toHaveProperty('blinded_ms')
    expect(credentialMessages.formatsShown?.(message)).toEqual(known)
  })

  it('presents a proof in the older format', () => {
    const message = said('presentation')
    const enclosed = proofMessages.commandOf(message, frame)
    if (!(enclosed instanceof Enclosed)) throw new Error('nothing is enclosed')
    expect(JSON.parse(enclosed.text)).toHaveProperty('requested_proof')
    expect(formatsIn(message)).toEqual(['hlindy'])
  })

  it('changes its DID, and hangs up', () => {
    for (const name of ['rotateToPeer2', 'rotateToPeer4'] as const)
      expect(rotationIn(said(name))).toMatchObject({ theirService })
    expect(isHangup(said('hangup'))).toBe(true)
  })

  it('chats, which is answered, and ends what it began, which is not', () => {
    expect(wantsNoAnswer(said('chat'))).toBe(false)
    expect(wantsNoAnswer(said('ack'))).toBe(true)
    expect(isProblemReport(said('problem'))).toBe(true)
  })
})
