import { describe, expect, it } from 'vitest'
import { formatFields } from '../../../src/didcomm/attachment.ts'
import type { Message } from '../../../src/didcomm/message.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import {
  credentialMessage,
  credentialRequestOf,
  isCredentialAck,
  isCredentialRequest,
  offerMessage,
} from '../../../src/actors/credential/messages.ts'

const read = (text: string): Message => {
  const message = parseMessage(text)
  if (!message) throw new Error('no message')
  return message
}

describe('the messages of issuing', () => {
  it('begin with an offer that opens its thread and shows what is offered', () => {
    const offer = read(offerMessage({ threadId: 't', attributes: { name: 'Ada' }, offer: { nonce: '1' } }))
    expect(offer).toMatchObject({ threadId: 't', type: 'issue-credential/2.0/offer-credential' })
    expect(offer.body['credential_preview']).toMatchObject({ attributes: [{ name: 'name', value: 'Ada' }] })
  })

  it('go on with a request in its format', () => {
    const fields = formatFields('requests~attach', 'anoncreds/credential-request@v1.0', { entropy: 'e' })
    const type = 'issue-credential/2.0/request-credential'
    const request = read(composeMessage({ id: 'r', type, thread: { thid: 't' }, ...fields }))
    expect(isCredentialRequest(request)).toBe(true)
    expect(credentialRequestOf(request)).toEqual({ entropy: 'e' })
  })

  it('end with a credential that asks for its ack', () => {
    const credential = read(credentialMessage({ messageId: 'm', threadId: 't', credential: {} }))
    expect(credential).toMatchObject({ threadId: 't', wantsAck: true })
    const ack = composeMessage({ id: 'a', type: 'issue-credential/2.0/ack', thread: { thid: 't' } })
    expect(isCredentialAck(read(ack))).toBe(true)
  })
})
