import type { Eventually } from '../domain/eventually.ts'
import type { UseCasePorts } from './command-ports.ts'

type Ports = Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>

/**
 * A question, which changes nothing: at once where its actor is in memory here and idle, else in its turn. Most
 * requests only read, and the promises between a request and such an answer cost more than the answer.
 */
export const askQuestion = <Reply>(
  { actors, askTimeoutMs }: Ports,
  actor: string,
  question: { readonly type: string },
  tenant: string | null,
): Eventually<Reply> => {
  const answered = actors.answerNow?.(actor, question) ?? null
  return answered === null
    ? actors.ask<Reply>(actor, question, { commandId: '', timeoutMs: askTimeoutMs, tenant })
    : (answered.reply as Reply)
}
