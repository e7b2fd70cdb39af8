import type { MessagePrefix } from '../domain/message-prefix.ts'
import type { Message } from './message.ts'
import { composeMessage, messageIdIn } from './message.ts'

const TEXT_MAX = 500

export type ProblemReport = { readonly threadId: string; readonly code: string; readonly text: string }

/** Recognises the problem report of any protocol, because all of them end alike, in one of two spellings. */
export const isProblemReport = (message: Message): boolean => /\/problem[-_]report$/.test(message.type)

export const problemReportOf = (message: Message): ProblemReport => {
  const description = (message.body['description'] ?? {}) as { code?: unknown; en?: unknown }
  const code = description.code ?? message.body['problem-code']
  const said = description.en ?? message.body['explain']
  return {
    threadId: message.threadId,
    code: typeof code === 'string' ? code.slice(0, TEXT_MAX) : 'unspecified',
    text: typeof said === 'string' ? said.slice(0, TEXT_MAX) : '',
  }
}

export type ProblemFacts = {
  readonly protocol: string
  readonly prefix: MessagePrefix
  readonly threadId: string
  /** One of those that the protocol knows: wallets drop reports with any other. */
  readonly code: string
  readonly text: string
}

/** A problem report; one is never sent in answer to another problem report. */
export const problemReportMessage = ({ protocol, prefix, threadId, code, text }: ProblemFacts): string => {
  const frame = { id: messageIdIn(threadId, 'problem'), prefix, thread: { thid: threadId } }
  const description = { code, en: text }
  if (!/^(?:didexchange|connections)\//.test(protocol))
    return composeMessage({ ...frame, type: `${protocol}/problem-report`, description })
  // RFC 0023 and 0160 spell their report in their own way and say twice what is wrong: wallets read one or the other.
  const type = `${protocol}/problem_report`
  return composeMessage({ ...frame, type, description, 'problem-code': code, explain: text })
}
