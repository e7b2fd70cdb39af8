import { isProblemReport, problemReportMessage } from '../problem-report.ts'
import type { Message } from '../message.ts'

/** What ends a conversation: an answer to it would begin one that nobody wants. */
const LAST_WORDS = /\/(?:ack|ping[-_]response|disclose|disclosures|handshake-reuse-accepted)$/

export const wantsNoAnswer = (message: Message): boolean =>
  isProblemReport(message) || LAST_WORDS.test(message.type)

const TEXT = 'This kind of message is not understood here.'

/** The one code that agents know for it. A protocol that is not spoken here has no report that could be used. */
export const unspokenReport = ({ prefix, threadId }: Message, text = TEXT): string =>
  problemReportMessage({
    protocol: 'notification/1.0',
    prefix,
    threadId,
    code: 'message-parse-failure',
    text,
  })
