import type { Candidates, Connection, Credential, Offer, ProofRequest, Requested } from '../core/public.ts'

// What the wallet shows of itself, a line or a few for each thing.

/** What moves the cursor, clears the screen or turns the direction of writing. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Organisations name themselves, attributes and requests, and must not write over what the wallet says. */
export const inOneLine = (text: string): string => text.replaceAll(UNSEEN, '·')

const day = (date: Date): string => date.toISOString().slice(0, 10)

const values = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .filter(([name]) => name !== 'expiresAt')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')

export const shownConnection = ({ label, state }: Connection): string =>
  `${label ?? 'an organisation'}, ${state}`

export const shownOffer = ({ attributes, expiresAt, state }: Offer): string =>
  `${values(attributes)}${expiresAt === null ? '' : `, until ${day(expiresAt)}`}${state === 'offered' ? '' : ` (${state})`}`

export const shownCredential = ({ schemaName, attributes, expiresAt, expired }: Credential): string => {
  const until = expiresAt === null ? '' : `, ${expired ? 'EXPIRED on' : 'until'} ${day(expiresAt)}`
  return `${schemaName}: ${values(attributes)}${until}`
}

export const shownRequest = ({ name, state }: ProofRequest): string =>
  `${name}${state === 'requested' ? '' : ` (${state})`}`

/** What is asked for, and what would answer it. */
export const shownQuestions = ({ requested }: ProofRequest, candidates: Candidates): readonly string[] =>
  requested.map((each) => {
    const [best, ...others] = candidates[each.referent] ?? []
    const answer = best === undefined ? 'NOTHING in this wallet answers it' : shownCredential(best)
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`
    return `${question(each)} ← ${answer}${more}`
  })

const question = (requested: Requested): string =>
  requested.kind === 'attributes'
    ? `to see ${requested.names.join(', ')}`
    : `that ${requested.name} ${requested.operator} ${requested.value}, without seeing it`
