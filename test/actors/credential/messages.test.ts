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
    const facts = { threadId: 't', attributes: { name: 'Ada' }, offer: '{"nonce":"1"}' }
    const offer = read(offerMessage({ ...facts, format: 'anoncreds' }))
    expect(offer).toMatchObject({ id: 't', threadId: 't', type: 'issue-credential/2.0/offer-credential' })
    expect(offer.body['formats']).toMatchObject([{ format: 'anoncreds/credential-offer@v1.0' }])
    const older = read(offerMessage({ ...facts, format: 'hlindy' }))
    expect(older.body['formats']).toMatchObject([{ format: 'hlindy/cred-abstract@v2.0' }])
    expect(older.body['offers~attach']).toEqual(offer.body['offers~attach'])
    expect(offer.body['credential_preview']).toMatchObject({ attributes: [{ name: 'name', value: 'Ada' }] })
  })

  it.each([
    ['anoncreds', 'anoncreds/credential-request@v1.0'],
    ['hlindy', 'hlindy/cred-req@v2.0'],
  ] as const)('go on with a request in its format: %s', (format, name) => {
    const fields = fieldsWithAttachment('requests~attach', name, '{"entropy":"e"}')
    const type = 'issue-credential/2.0/request-credential'
    const request = read(composeMessage({ id: 'r', type, thread: { thid: 't' }, ...fields }))
    const enclosed = credentialMessages.commandOf(request, frame)
    if (!(enclosed instanceof Enclosed)) throw new Error('nothing is enclosed')
    expect(enclosed.text).toBe('{"entropy":"e"}')
    const body = { id: 'b', hash: 'h' }
    const command = { type: 'ReceiveCredentialRequest', ...frame, format, request: body }
    expect(enclosed.commandWith(body)).toEqual(command)
  })

  it('end with a credential that asks for its ack', () => {
    const credential = read(
      credentialMessage({ threadId: 't', prefix: OLD_PREFIX, credential: '{}', format: 'hlindy' }),
    )
    expect(credential).toMatchObject({ threadId: 't', body: { '~please_ack': expect.anything() as unknown } })
    expect(credential.body['formats']).toMatchObject([{ format: 'hlindy/cred@v2.0' }])
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
