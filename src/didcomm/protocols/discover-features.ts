import { type MessagePrefix, PREFIX } from '../../domain/message-prefix.ts'
import { isJson, listOf } from '../json.ts'
import { answerTo, isType, type Message } from '../message.ts'

/** A protocol as it is disclosed, without the prefix, and who we are in it. */
export type SpokenProtocol = {
  readonly protocol: string
  readonly roles: readonly string[]
  /** Left out: that of the protocols which all wallets know. */
  readonly prefix?: MessagePrefix
}

const nameOf = ({ prefix = PREFIX, protocol }: SpokenProtocol): string => `${prefix}${protocol}`

const ONE = 'discover-features/1.0'
const TWO = 'discover-features/2.0'
/** Who asks says how many questions there are; each is answered with what we speak at most. */
const QUERIES_MAX = 16

/** What the other side speaks, asked for or not. */
export const isDisclosure = (message: Message): boolean => isType(message, TWO, 'disclosures')

/** The answer to a question what is spoken here; null for any other message. */
export const disclosuresTo = (message: Message, spoken: readonly SpokenProtocol[]): string | null => {
  if (isType(message, ONE, 'query')) {
    const protocols = matching(spoken, message.body['query'])
    return answerTo(message, 'disclose', {
      protocols: protocols.map((each) => ({ pid: nameOf(each), roles: each.roles })),
    })
  }
  if (!isType(message, TWO, 'queries')) return null
  const asked = listOf(message.body['queries']).slice(0, QUERIES_MAX).filter(isJson)
  const found = new Set(
    asked
      .filter((query) => query['feature-type'] === 'protocol')
      .flatMap((query) => matching(spoken, query['match'])),
  )
  return answerTo(message, 'disclosures', {
    disclosures: Array.from(found, (each) => ({
      'feature-type': 'protocol',
      id: nameOf(each),
      roles: each.roles,
    })),
  })
}

/** A star stands for the rest, and nowhere else. */
const matching = (spoken: readonly SpokenProtocol[], match: unknown): readonly SpokenProtocol[] => {
  if (typeof match !== 'string') return []
  const start = match.endsWith('*') ? match.slice(0, -1) : null
  return spoken.filter((each) => {
    const name = nameOf(each)
    return start === null ? name === match : name.startsWith(start)
  })
}
