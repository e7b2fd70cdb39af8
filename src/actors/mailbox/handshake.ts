import { isJson } from '../../didcomm/json.ts'
import { isType, type Message } from '../../didcomm/message.ts'
import { CONNECTIONS } from '../../didcomm/protocols/connections.ts'
import { didIn, isHandshakeComplete } from '../../didcomm/protocols/did-exchange.ts'
import { type AnsweredRequest, isHandshakeRequest, spokenIn } from '../../didcomm/protocols/handshake.ts'

// The phone's connection to its mailbox. Of what the phone says of itself nothing is needed but the key that it writes
// with, and the form of its name: it is answered on the way that it came.

export type PhoneRequest = AnsweredRequest & { readonly id: string }

/** Null for a message that asks for no connection. */
export const phoneRequestOf = (message: Message): PhoneRequest | null => {
  if (!isHandshakeRequest(message)) return null
  const { id, threadId, parentThreadId: invitationId, prefix, body } = message
  const protocol = spokenIn(message)
  const theirDid = protocol === CONNECTIONS ? null : didIn(message)
  const isWhole = protocol === CONNECTIONS ? isJson(body['connection']) : theirDid !== null
  return isWhole ? { id, threadId, invitationId, theirDid, protocol, prefix } : null
}

/** The last message of either handshake, which says nothing more than that there is one. */
export const isHandshakeEnd = (message: Message): boolean =>
  isHandshakeComplete(message) ||
  isType(message, CONNECTIONS, 'ack') ||
  isType(message, 'notification/1.0', 'ack')
