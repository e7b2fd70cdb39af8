import { answerTo, isType, type Message } from '../message.ts'

const PROTOCOL = 'out-of-band/1.1'

/** A wallet has a connection already, and wants to use it for what an invitation is for: no new handshake begins. */
export const isReuse = (message: Message): boolean => isType(message, PROTOCOL, 'handshake-reuse')

/** One of the two that the protocol names. */
export const REUSE_REFUSED = 'existing_connection_not_active'

export const reuseAccepted = (message: Message): string => {
  const { threadId: thid, parentThreadId: pthid } = message
  return answerTo(message, 'handshake-reuse-accepted', {
    '~thread': { thid, ...(pthid !== null && { pthid }) },
  })
}
