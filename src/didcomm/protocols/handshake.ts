import type { HandshakeProtocol } from '../../domain/handshake-protocols.ts'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import type { KeyPair } from '../keys.ts'
import { type Message, protocolOf } from '../message.ts'
import type { Services } from '../peer-did.ts'
import { type ProblemFacts, problemReportMessage } from '../problem-report.ts'
import { CONNECTIONS, connectionResponse, isConnectionRequest } from './connections.ts'
import { DID_EXCHANGE, didExchangeResponse, isDidExchangeRequest } from './did-exchange.ts'

// How a wallet connects, in whichever of the two protocols it speaks: with an organisation, or with its mailbox.

export const isHandshakeRequest = (message: Message): boolean =>
  isDidExchangeRequest(message) || isConnectionRequest(message)

/** Of a request: the protocol in which it is answered. */
export const spokenIn = (message: Message): HandshakeProtocol => {
  if (isConnectionRequest(message)) return CONNECTIONS
  return protocolOf(message) === 'didexchange/1.0' ? 'didexchange/1.0' : DID_EXCHANGE
}

export type AnsweredRequest = {
  readonly threadId: string
  readonly invitationId: string | null
  /** Null where the answer does not follow from it. */
  readonly theirDid: string | null
  readonly protocol: HandshakeProtocol
  readonly prefix: MessagePrefix
}

type HandshakeResponse = {
  readonly request: AnsweredRequest
  readonly own: Services
  /** Signs for the invitation: the other side knows nothing else of us yet. */
  readonly invitationKey: KeyPair
  /** When the request came: an answer that is sent again is the same. */
  readonly atMs: number
}

export const handshakeResponse = ({ request, atMs, ...ours }: HandshakeResponse): string =>
  request.protocol === CONNECTIONS
    ? connectionResponse({ ...request, ...ours, atMs })
    : didExchangeResponse({ ...request, ...ours })

/** To a wallet that may wait for the answer to its request, with the one code that both protocols have for that. */
export const handshakeRefusal = (
  { protocol, prefix, threadId }: Pick<ProblemFacts, 'protocol' | 'prefix' | 'threadId'>,
  text: string,
): string => problemReportMessage({ protocol, prefix, threadId, code: 'request_not_accepted', text })
