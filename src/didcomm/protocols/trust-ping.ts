import { composeMessage, isType, type Message, messageIdIn, protocolOf } from '../message.ts'

const PROTOCOL = 'trust_ping/1.0'

export const isPing = (message: Message): boolean => isType(message, PROTOCOL, 'ping')

/** The answer to a ping; null where its sender wants none. */
export const pongTo = (message: Message): string | null =>
  message.body['response_requested'] === false
    ? null
    : composeMessage({
        id: messageIdIn(message.threadId, 'pong'),
        prefix: message.prefix,
        type: `${protocolOf(message)}/ping_response`,
        thread: { thid: message.threadId },
      })
