import { attachmentOf, formatFields } from '../../didcomm/attachment.ts'
import type { Message } from '../../didcomm/message.ts'
import { composeMessage, isType } from '../../didcomm/message.ts'

const PROTOCOL = 'present-proof/2.0'
const FORMATS = { request: 'anoncreds/proof-request@v1.0', presentation: 'anoncreds/proof@v1.0' } as const

/** What ProofRequested owes the holder. `threadId` is the request's own id: the request opens the thread. */
export const proofRequestMessage = (facts: {
  readonly threadId: string
  readonly request: unknown
}): string =>
  composeMessage({
    id: facts.threadId,
    type: `${PROTOCOL}/request-presentation`,
    will_confirm: true,
    ...formatFields('request_presentations~attach', FORMATS.request, facts.request),
  })

export const proofAckMessage = (facts: { readonly messageId: string; readonly threadId: string }): string =>
  composeMessage({
    id: facts.messageId,
    type: `${PROTOCOL}/ack`,
    thread: { thid: facts.threadId },
    status: 'OK',
  })

export const isPresentation = (message: Message): boolean => isType(message, PROTOCOL, 'presentation')
export const isProofProposal = (message: Message): boolean =>
  isType(message, PROTOCOL, 'propose-presentation')

export const presentationOf = (message: Message): unknown =>
  attachmentOf(message.body, 'presentations~attach', FORMATS.presentation)
