import {
  composeMessage,
  fieldsWithAttachment,
  isType,
  lastAttachmentOf,
  messageIdIn,
} from '../../didcomm/message.ts'
import { isProblemReport, problemReportOf } from '../../didcomm/problem-report.ts'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'
import type { JsonText } from '../../ports/anoncreds.ts'
import { Enclosed } from '../bodies.ts'
import type { HolderMessages } from '../define-kind.ts'
import type { ProofCommand, ProofRecord } from './state.ts'

export const PROTOCOL = 'present-proof/2.0'
/** RFC 0454 names no other. */
export const PROBLEM_CODE = 'abandoned'
const REQUESTS = { anoncreds: 'anoncreds/proof-request@v1.0', hlindy: 'hlindy/proof-req@v2.0' } as const
const PRESENTATIONS = { anoncreds: 'anoncreds/proof@v1.0', hlindy: 'hlindy/proof@v2.0' } as const

/** The request opens the thread, so `threadId` is its own id. */
export const proofRequestMessage = (facts: {
  readonly threadId: string
  readonly request: JsonText
  readonly format: WalletFormat
}): string =>
  composeMessage({
    id: facts.threadId,
    type: `${PROTOCOL}/request-presentation`,
    will_confirm: true,
    ...fieldsWithAttachment('request_presentations~attach', REQUESTS[facts.format], facts.request),
  })

export const proofAckMessage = ({
  threadId,
  prefix,
}: {
  readonly threadId: string
  readonly prefix: MessagePrefix
}): string =>
  composeMessage({
    id: messageIdIn(threadId, 'ack'),
    prefix,
    type: `${PROTOCOL}/ack`,
    thread: { thid: threadId },
    status: 'OK',
  })

const PROPOSAL = 'propose-presentation'

/** What a holder may say about a request for a proof. */
export const proofMessages: HolderMessages<ProofCommand, ProofRecord> = {
  protocol: PROTOCOL,
  proposal: PROPOSAL,
  problemCode: PROBLEM_CODE,
  commandOf: (message, frame) => {
    if (isProblemReport(message)) {
      const { code, text } = problemReportOf(message)
      return { type: 'ReceiveProofProblem', ...frame, code, text }
    }
    if (isType(message, PROTOCOL, PROPOSAL)) return { type: 'ReceiveProofProposal', ...frame }
    if (!isType(message, PROTOCOL, 'presentation')) return null
    const { content } = lastAttachmentOf(message.body, 'presentations~attach', PRESENTATIONS)
    return new Enclosed({
      text: JSON.stringify(content),
      isAwaitedBy: (record) => record.status === 'request-sent' && record.connectionId === frame.from,
      isNamedBy: (record, { id }) =>
        record.status === 'presentation-received' && record.presentation?.id === id,
      commandWith: (body) => ({ type: 'ReceivePresentation', ...frame, presentation: body }),
    })
  },
}
