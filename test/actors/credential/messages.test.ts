import { describe, expect, it } from 'vitest'
import {
  composeMessage,
  fieldsWithAttachment,
  parseMessage,
  type Message,
} from '../../../src/didcomm/message.ts'
import {
  credentialMessage,
  credentialMessages,
  offerMessage,
  offerText,
} from '../../../src/actors/credential/messages.ts'
import { Enclosed } from '../../../src/actors/bodies.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import { issuing } from '../exchange-world.ts'

const frame = { from: 'con_1', atMs: 1, prefix: OLD_PREFIX } as const

const read = (text: string): Message => {
  const message = parseMessage(text)
  if (!message) throw new Error('no message')
  return message
}

describe('the messages of issuing', () => {
  it('begin with an offer that opens its thread and shows what is offered', () => {
    const offer = read(offerMessage({ threadId: 't', attributes: { name: 'Ada' }, offer: '{"nonce":"1"}' }))
    expect(offer).toMatchObject({ id: 't', threadId: 't', type: 'issue-credential/2.0/offer-credential' })
    expect(offer.body['credential_preview']).toMatchObject({ attributes: [{ name: 'name', value: 'Ada' }] })
  })

  it('go on with a request in its format', () => {
    const fields = fieldsWithAttachment(
      'requests~attach',
      'anoncreds/credential-request@v1.0',
      '{"entropy":"e"}',
    )
    const type = 'issue-credential/2.0/request-credential'
    const request = read(composeMessage({ id: 'r', type, thread: { thid: 't' }, ...fields }))
    const enclosed = credentialMessages.commandOf(request, frame)
    if (!(enclosed instanceof Enclosed)) throw new Error('nothing is enclosed')
    expect(enclosed.text).toBe('{"entropy":"e"}')
    const body = { id: 'b', hash: 'h' }
    expect(enclosed.commandWith(body)).toEqual({ type: 'ReceiveCredentialRequest', ...frame, request: body })
  })

  it('end with a credential that asks for its ack', () => {
    const credential = read(credentialMessage({ threadId: 't', prefix: OLD_PREFIX, credential: '{}' }))
    expect(credential).toMatchObject({ threadId: 't', body: { '~please_ack': expect.anything() as unknown } })
    // What is sent again has the same id.
    expect(credential.id).toBe('t.credential')
    expect(credential.prefix).toBe(OLD_PREFIX)
    const ack = composeMessage({ id: 'a', type: 'issue-credential/2.0/ack', thread: { thid: 't' } })
    expect(credentialMessages.commandOf(read(ack), frame)).toEqual({ type: 'ReceiveCredentialAck', ...frame })
  })
})

describe('the AnonCreds offer', () => {
  it('is the same whenever it is made for one nonce', () => {
    expect(offerText(issuing, '42')).toBe(offerText(issuing, '42'))
    expect(JSON.parse(offerText(issuing, '42'))).toEqual({
      schema_id: 'D:2:degree:1.0',
      cred_def_id: 'D:3:CL:1:default',
      key_correctness_proof: { c: '1' },
      nonce: '42',
    })
  })
})
