import { attachmentOf, fieldsWithAttachment } from '../../didcomm/attachment.ts'
import { composeMessage, isType, messageIdIn } from '../../didcomm/message.ts'
import { isProblemReport, problemReportOf } from '../../didcomm/problem-report.ts'
import type { JsonText } from '../../ports/anoncreds.ts'
import type { HolderMessages } from '../define-kind.ts'
import type { ProofCommand } from './rules.ts'

export const PROTOCOL = 'present-proof/2.0'
const FORMATS = { request: 'anoncreds/proof-request@v1.0', presentation: 'anoncreds/proof@v1.0' } as const

/** The request opens the thread, so `threadId` is its own id. */
export const proofRequestMessage = (facts: {
  readonly threadId: string
  readonly request: JsonText
}): string =>
  composeMessage({
    id: facts.threadId,
    type: `${PROTOCOL}/request-presentation`,
    will_confirm: true,
    ...fieldsWithAttachment('request_presentations~attach', FORMATS.request, JSON.parse(facts.request)),
  })

export const proofAckMessage = (threadId: string): string =>
  composeMessage({
    id: messageIdIn(threadId, 'ack'),
    type: `${PROTOCOL}/ack`,
    thread: { thid: threadId },
    status: 'OK',
  })

/** What a holder may say about a request for a proof. */
export const proofMessages: HolderMessages<ProofCommand> = {
  protocol: PROTOCOL,
  proposal: 'propose-presentation',
  commandOf: (message, frame) => {
    if (isProblemReport(message)) {
      const { code, text } = problemReportOf(message)
      return { type: 'ReceiveProofProblem', ...frame, code, text }
    }
    if (!isType(message, PROTOCOL, 'presentation')) return null
    const presentation: unknown = attachmentOf(message.body, 'presentations~attach', FORMATS.presentation)
    return { type: 'ReceivePresentation', ...frame, presentation: JSON.stringify(presentation) }
  },
}
