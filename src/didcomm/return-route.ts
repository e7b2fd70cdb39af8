import { isJson } from './json.ts'
import type { Message } from './message.ts'

/** Whether its sender takes what answers the message on the way that it came (RFC 0092). */
export const takesAnswerHere = ({ body, threadId }: Pick<Message, 'body' | 'threadId'>): boolean => {
  const transport = body['~transport']
  if (!isJson(transport)) return false
  const route = transport['return_route']
  return route === 'all' || (route === 'thread' && transport['return_route_thread'] === threadId)
}
