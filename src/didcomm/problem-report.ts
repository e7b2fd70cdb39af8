import type { Message } from './message.ts'
import { composeMessage, messageIdIn } from './message.ts'

const TEXT_MAX = 500

export type ProblemReport = { readonly threadId: string; readonly code: string; readonly text: string }

/** Recognises the problem report of any protocol, because all of them end alike. */
export const isProblemReport = (message: Message): boolean => message.type.endsWith('/problem-report')

export const problemReportOf = (message: Message): ProblemReport => {
  const description = (message.body['description'] ?? {}) as { code?: unknown; en?: unknown }
  const code = description.code ?? message.body['problem-code']
  return {
    threadId: message.threadId,
    code: typeof code === 'string' ? code.slice(0, TEXT_MAX) : 'unspecified',
    text: typeof description.en === 'string' ? description.en.slice(0, TEXT_MAX) : '',
  }
}

export type ProblemFacts = { readonly protocol: string; readonly threadId: string; readonly text: string }

/** A problem report; one is never sent in answer to another problem report. */
export const problemReportMessage = ({ protocol, threadId, text }: ProblemFacts): string =>
  composeMessage({
    id: messageIdIn(threadId, 'problem'),
    type: `${protocol}/problem-report`,
    thread: { thid: threadId },
    description: { code: 'abandoned', en: text },
  })
