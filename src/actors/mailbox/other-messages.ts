import { isJson, type Json, listOf } from '../../didcomm/json.ts'
import { isType, type Message, protocolOf } from '../../didcomm/message.ts'
import { PREFIX } from '../../domain/message-prefix.ts'
import type { MediatorSession } from '../../ports/mediator.ts'
import { isHandshakeEnd } from './handshake.ts'
import { answerTo, type Answers, NO_ANSWER, problemWith, takesAnswerHere, textOf } from './wallet-message.ts'

const QUERIES_MAX = 64

/** What a mailbox speaks, and as what. */
const spoken: readonly (readonly [string, readonly string[]])[] = [
  ['coordinate-mediation/1.0', ['mediator']],
  ['messagepickup/2.0', ['mediator']],
  ['routing/1.0', ['mediator']],
  ['trust_ping/1.0', ['receiver']],
  ['discover-features/1.0', ['responder']],
  ['discover-features/2.0', ['responder']],
  ['connections/1.0', ['inviter']],
  ['didexchange/1.1', ['responder']],
]

/** Beside mediation and pickup: what any wallet may ask of whom it is connected with. */
export const answerOthers = (address: string, message: Message, session: MediatorSession): Answers => {
  if (isHandshakeEnd(message)) return NO_ANSWER
  if (isType(message, 'trust_ping/1.0', 'ping')) return pong(address, message, session)
  if (isType(message, 'discover-features/1.0', 'query')) return [disclose(message)]
  if (isType(message, 'discover-features/2.0', 'queries')) return [disclosures(message)]
  return null
}

/** The ping of a wallet that keeps a socket open is also how it asks for all that comes, without another word. */
const pong = (address: string, message: Message, session: MediatorSession): Answers => {
  if (session.isSocket && takesAnswerHere(message)) session.push(address, 'implicit')
  // RFC 0048: an answer is wanted unless it says otherwise.
  return message.body['response_requested'] === false ? NO_ANSWER : [answerTo(message, 'ping_response', {})]
}

/** RFC 0031, with its wildcards. */
const disclose = (message: Message): string =>
  answerTo(message, 'disclose', {
    protocols: matching(textOf(message.body['query']) ?? '').map(([pid, roles]) => ({ pid, roles })),
  })

/** RFC 0557. */
const disclosures = (message: Message): string => {
  const queries = listOf(message.body['queries']).slice(0, QUERIES_MAX).filter(isJson)
  const found = queries
    .filter((query) => query['feature-type'] === 'protocol')
    .flatMap((query) => matching(textOf(query['match']) ?? ''))
  const features: readonly Json[] = [...new Map(found)].map(([id, roles]) => ({
    'feature-type': 'protocol',
    id,
    roles,
  }))
  return answerTo(message, 'disclosures', { disclosures: features })
}

/** A query that ends in `*` asks for all that begin with what stands before it. */
const matching = (query: string): readonly (readonly [string, readonly string[]])[] => {
  const all = spoken.map(([name, roles]) => [`${PREFIX}${name}`, roles] as const)
  if (!query.endsWith('*')) return all.filter(([id]) => id === query)
  const begin = query.slice(0, -1)
  return all.filter(([id]) => id.startsWith(begin))
}

/** Never silence: the wallet hears that this is not spoken here. */
export const notSpoken = (message: Message): string =>
  problemWith(message, 'message-not-supported', `A mediator does not speak ${protocolOf(message)}.`)
