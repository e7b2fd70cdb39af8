import { answerTo, isType, type Message } from '../message.ts'

const PROTOCOL = 'trust_ping/1.0'

export const isPing = (message: Message): boolean => isType(message, PROTOCOL, 'ping')

/** The answer to a ping; null where its sender wants none. */
export const pongTo = (message: Message): string | null =>
  message.body['response_requested'] === false ? null : answerTo(message, 'ping_response')
