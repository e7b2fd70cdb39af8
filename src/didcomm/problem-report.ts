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

/** A problem report; one is never sent in answer to another problem report. */
export const problemReportMessage = (facts: {
  readonly protocol: string
  readonly prefix: Message['prefix']
  readonly threadId: string
  readonly code: string
  readonly text: string
}): string =>
  composeMessage({
    id: messageIdIn(facts.threadId, 'problem'),
    type: `${facts.protocol}/problem-report`,
    prefix: facts.prefix,
    thread: { thid: facts.threadId },
    description: { code: facts.code, en: facts.text },
  })
