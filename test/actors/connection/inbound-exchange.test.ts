import { describe, expect, it } from 'vitest'
import { formatFields } from '../../../src/didcomm/attachment.ts'
import { exchangeCommandOf } from '../../../src/actors/connection/inbound-exchange.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'

const credential = 'cre_00aaaaaaaaaa'
const proof = 'pro_00aaaaaaaaaa'

const commandOf = (type: string, thid: string, fields: Record<string, unknown> = {}) => {
  const message = parseMessage(composeMessage({ id: 'message-1', type, thread: { thid }, ...fields }))
  return message && exchangeCommandOf(message, 'con_00aaaaaaaaaa', 5)
}

describe('a holder’s message', () => {
  it('becomes the command of the exchange that its thread names', () => {
    const request = formatFields('requests~attach', 'anoncreds/credential-request@v1.0', { a: 1 })
    const presentation = formatFields('presentations~attach', 'anoncreds/proof@v1.0', { b: 2 })
    const frame = { atMs: 5, from: 'con_00aaaaaaaaaa' }
    expect(commandOf('issue-credential/2.0/request-credential', credential, request)).toEqual({
      exchange: credential,
      command: { type: 'ReceiveCredentialRequest', ...frame, request: '{"a":1}' },
    })
    expect(commandOf('issue-credential/2.0/ack', credential)?.command).toEqual({
      type: 'ReceiveCredentialAck',
      ...frame,
    })
    expect(commandOf('present-proof/2.0/presentation', proof, presentation)?.command).toEqual({
      type: 'ReceivePresentation',
      ...frame,
      presentation: '{"b":2}',
    })
  })

  it('that nests thousands of brackets carries nothing that can be read', () => {
    const deep = `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const attached = (name: string, format: string) => ({
      formats: [{ attach_id: 'a', format }],
      [name]: [{ '@id': 'a', data: { base64: Buffer.from(deep).toString('base64') } }],
    })
    const presentation = attached('presentations~attach', 'anoncreds/proof@v1.0')
    expect(commandOf('present-proof/2.0/presentation', proof, presentation)?.command).toMatchObject({
      presentation: 'null',
    })
    const request = attached('requests~attach', 'anoncreds/credential-request@v1.0')
    expect(commandOf('issue-credential/2.0/request-credential', credential, request)?.command).toMatchObject({
      request: 'null',
    })
  })

  it('that reports a problem goes to either kind', () => {
    const description = { description: { code: 'abandoned', en: 'No' } }
    expect(commandOf('notification/1.0/problem-report', credential, description)?.command.type).toBe(
      'ReceiveCredentialProblem',
    )
    expect(commandOf('present-proof/2.0/problem-report', proof, description)?.command.type).toBe(
      'ReceiveProofProblem',
    )
  })

  it('of another protocol, or in a thread that is none of ours, is nothing for an exchange', () => {
    expect(commandOf('basicmessage/1.0/message', credential)).toBeNull()
    expect(commandOf('present-proof/2.0/presentation', credential)).toBeNull()
    expect(commandOf('issue-credential/2.0/ack', 'a-thread-of-theirs')).toBeNull()
    expect(commandOf('issue-credential/2.0/ack', 'ten_00aaaaaaaaaa')).toBeNull()
  })
})
