import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/didcomm/message.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import {
  credentialMessage,
  credentialRequestOf,
  isCredentialAck,
  isCredentialRequest,
  offerMessage,
} from '../../../src/didcomm/protocols/issue-credential.ts'
import { invitationMessage, invitationUrl } from '../../../src/didcomm/protocols/out-of-band.ts'
import {
  isPresentation,
  presentationOf,
  proofAckMessage,
  proofRequestMessage,
} from '../../../src/didcomm/protocols/present-proof.ts'
import {
  isProblemReport,
  problemReportMessage,
  problemReportOf,
} from '../../../src/didcomm/protocols/problem-report.ts'
import { createKeyPair } from '../../../src/didcomm/keys.ts'
import { formatFields } from '../../../src/didcomm/attachment.ts'

const read = (text: string): Message => {
  const message = parseMessage(text)
  if (!message) throw new Error('no message')
  return message
}

describe('messages of the exchanges', () => {
  it('an invitation travels in a link', () => {
    const facts = {
      id: 'inv',
      label: 'Registry',
      endpoint: 'https://service.example/didcomm',
      recipientKey: createKeyPair().publicKeyBase58,
      routingKeys: [],
    }
    const url = new URL(invitationUrl('https://service.example/i', invitationMessage(facts)))
    const invitation = JSON.parse(
      Buffer.from(url.searchParams.get('oob') ?? '', 'base64url').toString(),
    ) as Record<string, unknown>
    expect(invitation).toMatchObject({
      '@id': 'inv',
      '@type': 'https://didcomm.org/out-of-band/1.1/invitation',
      label: 'Registry',
    })
  })

  it('an offer opens its thread and shows what is offered', () => {
    const offer = read(offerMessage({ threadId: 't', attributes: { name: 'Ada' }, offer: { nonce: '1' } }))
    expect(offer).toMatchObject({ threadId: 't', type: 'issue-credential/2.0/offer-credential' })
    expect(offer.body['credential_preview']).toMatchObject({ attributes: [{ name: 'name', value: 'Ada' }] })
  })

  it('a request for a credential is found in its format', () => {
    const fields = formatFields('requests~attach', 'anoncreds/credential-request@v1.0', { entropy: 'e' })
    const request = read(
      composeMessage({
        id: 'r',
        type: 'issue-credential/2.0/request-credential',
        thread: { thid: 't' },
        ...fields,
      }),
    )
    expect(isCredentialRequest(request)).toBe(true)
    expect(credentialRequestOf(request)).toEqual({ entropy: 'e' })
  })

  it('a credential asks for its ack', () => {
    const credential = read(credentialMessage({ messageId: 'm', threadId: 't', credential: {} }))
    expect(credential).toMatchObject({ threadId: 't', wantsAck: true })
    expect(
      isCredentialAck(
        read(composeMessage({ id: 'a', type: 'issue-credential/2.0/ack', thread: { thid: 't' } })),
      ),
    ).toBe(true)
  })

  it('a proof request opens its thread, a presentation answers it', () => {
    expect(read(proofRequestMessage({ threadId: 'p', request: {} })).threadId).toBe('p')
    const fields = formatFields('presentations~attach', 'anoncreds/proof@v1.0', { proof: 1 })
    const presentation = read(
      composeMessage({ id: 'x', type: 'present-proof/2.0/presentation', thread: { thid: 'p' }, ...fields }),
    )
    expect([isPresentation(presentation), presentationOf(presentation)]).toEqual([true, { proof: 1 }])
    expect(read(proofAckMessage({ messageId: 'k', threadId: 'p' })).body['status']).toBe('OK')
  })

  it('a problem report is one in every protocol, its text cut', () => {
    const text = 'x'.repeat(9000)
    const report = read(
      problemReportMessage({
        messageId: 'm',
        protocol: 'notification/1.0',
        prefix: 'https://didcomm.org/',
        threadId: 't',
        code: 'abandoned',
        text,
      }),
    )
    expect(isProblemReport(report)).toBe(true)
    expect(problemReportOf(report)).toEqual({ threadId: 't', code: 'abandoned', text: text.slice(0, 500) })
    expect(problemReportOf(read(composeMessage({ id: 'q', type: 'a/1.0/problem-report' })))).toMatchObject({
      code: 'unspecified',
      text: '',
    })
  })
})
