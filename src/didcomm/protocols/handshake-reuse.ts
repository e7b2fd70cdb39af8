import { composeMessage, isType, type Message, messageIdIn, protocolOf } from '../message.ts'

const PROTOCOL = 'out-of-band/1.1'

/** A wallet has a connection already, and wants to use it for what an invitation is for: no new handshake begins. */
export const isReuse = (message: Message): boolean => isType(message, PROTOCOL, 'handshake-reuse')

/** One of the two that the protocol names. */
export const REUSE_REFUSED = 'existing_connection_not_active'

export const reuseAccepted = (message: Message): string => {
  const { threadId, parentThreadId, prefix } = message
  return composeMessage({
    id: messageIdIn(threadId, 'reuse'),
    prefix,
    type: `${protocolOf(message)}/handshake-reuse-accepted`,
    thread: { thid: threadId, ...(parentThreadId === null ? {} : { pthid: parentThreadId }) },
  })
}
