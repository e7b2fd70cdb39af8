import { attachmentOf, formatFields } from '../../didcomm/attachment.ts'
import type { Message } from '../../didcomm/message.ts'
import { composeMessage, isType } from '../../didcomm/message.ts'

const PROTOCOL = 'issue-credential/2.0'
const FORMATS = {
  offer: 'anoncreds/credential-offer@v1.0',
  request: 'anoncreds/credential-request@v1.0',
  credential: 'anoncreds/credential@v1.0',
} as const

/** What CredentialOffered owes the holder. `threadId` is the offer's own id: the offer opens the thread. */
export const offerMessage = (facts: {
  readonly threadId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly offer: unknown
}): string =>
  composeMessage({
    id: facts.threadId,
    type: `${PROTOCOL}/offer-credential`,
    credential_preview: {
      '@type': `https://didcomm.org/${PROTOCOL}/credential-preview`,
      attributes: Object.entries(facts.attributes).map(([name, value]) => ({
        name,
        value,
        'mime-type': 'text/plain',
      })),
    },
    ...formatFields('offers~attach', FORMATS.offer, facts.offer),
  })

export const credentialMessage = (facts: {
  readonly messageId: string
  readonly threadId: string
  readonly credential: unknown
}): string =>
  composeMessage({
    id: facts.messageId,
    type: `${PROTOCOL}/issue-credential`,
    thread: { thid: facts.threadId },
    '~please_ack': { on: ['OUTCOME'] },
    ...formatFields('credentials~attach', FORMATS.credential, facts.credential),
  })

export const isCredentialRequest = (message: Message): boolean =>
  isType(message, PROTOCOL, 'request-credential')
export const isCredentialAck = (message: Message): boolean => isType(message, PROTOCOL, 'ack')
export const isCredentialProposal = (message: Message): boolean =>
  isType(message, PROTOCOL, 'propose-credential')

export const credentialRequestOf = (message: Message): unknown =>
  attachmentOf(message.body, 'requests~attach', FORMATS.request)
