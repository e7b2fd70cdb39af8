import { type Message, protocolOf } from '../../didcomm/message.ts'
import { disclosuresTo, type SpokenProtocol } from '../../didcomm/protocols/discover-features.ts'
import { isPing, pongTo } from '../../didcomm/protocols/trust-ping.ts'
import { unspokenReport, wantsNoAnswer } from '../../didcomm/protocols/unspoken.ts'
import { takesAnswerHere } from '../../didcomm/return-route.ts'
import type { MediatorSession } from '../../ports/mediator.ts'
import { isHandshakeEnd } from './handshake.ts'
import { type Answers, NO_ANSWER } from './wallet-message.ts'

/** What a mailbox speaks, and as what. */
const spoken: readonly SpokenProtocol[] = [
  { protocol: 'coordinate-mediation/1.0', roles: ['mediator'] },
  { protocol: 'messagepickup/2.0', roles: ['mediator'] },
  { protocol: 'routing/1.0', roles: ['mediator'] },
  { protocol: 'trust_ping/1.0', roles: ['receiver'] },
  { protocol: 'discover-features/1.0', roles: ['responder'] },
  { protocol: 'discover-features/2.0', roles: ['responder'] },
  { protocol: 'connections/1.0', roles: ['inviter'] },
  { protocol: 'didexchange/1.1', roles: ['responder'] },
]

/** Beside mediation and pickup: what any wallet may ask of whom it is connected with. */
export const answerOthers = (address: string, message: Message, session: MediatorSession): Answers => {
  if (isHandshakeEnd(message) || wantsNoAnswer(message)) return NO_ANSWER
  if (isPing(message)) return pong(address, message, session)
  const disclosures = disclosuresTo(message, spoken)
  return disclosures === null ? null : [disclosures]
}

/** The ping of a wallet that keeps a socket open is also how it asks for all that comes, without another word. */
const pong = (address: string, message: Message, session: MediatorSession): Answers => {
  if (session.isSocket && takesAnswerHere(message)) session.push(address, 'implicit')
  const answer = pongTo(message)
  return answer === null ? NO_ANSWER : [answer]
}

/** Never silence: the wallet hears that this is not spoken here. */
export const notSpoken = (message: Message): string =>
  unspokenReport(message, `A mediator does not speak ${protocolOf(message)}.`)
