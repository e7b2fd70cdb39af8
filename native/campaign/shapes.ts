import type { Random } from '../../tools/simulate/random.ts'
import type { Answer, Held } from './wallet.ts'

const NAMES = ['name', 'Given Name', 'city', 'UPPER', 'ünïcode', 'expiresAt', 'a b c', 'score']
const TEXTS = [
  '',
  'x',
  'Köln',
  '2026-01-01',
  'a longer text of a value',
  '12345678901234567890',
  ' 5',
  '5.0',
  '+5',
  '+0',
  '-0',
  '007',
  '+1234567',
  '💥',
]

/** Distinct also in the library's spelling of names. */
export const randomAttributes = (chance: Random, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${chance.pick(NAMES)}${index}`)

export const randomValues = (chance: Random, attributes: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    attributes.map(
      (name) => [name, chance.oneIn(2) ? String(randomI32(chance)) : chance.pick(TEXTS)] as const,
    ),
  )

const randomI32 = (chance: Random): number =>
  chance.oneIn(4)
    ? chance.pick([0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 42])
    : chance.integer(-1_000_000_000, 1_000_000_000)

type Query = Record<string, unknown>

export type RandomRequest = { readonly request: string; readonly answers: readonly Answer[] }

const COMPARISONS = ['>=', '>', '<=', '<'] as const

/** A bound that the value meets; null where no 32-bit bound does. */
const honestBound = (chance: Random, type: (typeof COMPARISONS)[number], value: number): number | null => {
  const distance = chance.oneIn(3) ? 0 : chance.integer(0, 1_000_000)
  const strict = type === '>' || type === '<' ? 1 : 0
  const bound = type.startsWith('>') ? value - strict - distance : value + strict + distance
  return bound >= -(2 ** 31) && bound < 2 ** 31 ? bound : null
}

const restrictions = (chance: Random, held: Held): Query => {
  if (chance.oneIn(2)) return {}
  const { id } = held.published
  return {
    restrictions: chance.pick<unknown>([
      [{ cred_def_id: id }],
      [{ schema_issuer_id: 'did:example:issuer' }, { cred_def_id: 'did:example:other' }],
      { $or: [{ schema_version: '1.0' }, { schema_version: '2.0' }] },
      { $not: { issuer_id: 'did:example:nobody' } },
      { issuer_id: { $in: ['did:example:issuer'] } },
      [],
    ]),
  }
}

/** Asks each credential for some revealed and unrevealed attributes and so many predicates at most. */
export const randomRequest = (
  chance: Random,
  credentials: readonly Held[],
  predicatesMax = 4,
): RandomRequest => {
  const attributes: Record<string, Query> = {}
  const predicates: Record<string, Query> = {}
  const answers = credentials.map((held, index) => {
    const answer = { held, revealed: [] as string[], hidden: [] as string[], predicates: [] as string[] }
    const free = new Set(held.published.attributes)
    askPredicates(chance, { held, index, free, most: predicatesMax }, predicates, answer.predicates)
    askAttributes(chance, held, index, free, attributes, answer)
    return answer
  })
  const nonce = String(chance.integer(1, 2 ** 31)) + String(chance.integer(1, 2 ** 31))
  // Wallets and verifiers send requests with and without the version of the form.
  const body = {
    name: 'request',
    version: '1.0',
    nonce,
    ...chance.pick([{}, { ver: '1.0' }, { ver: '2.0' }]),
  }
  return {
    request: JSON.stringify({ ...body, requested_attributes: attributes, requested_predicates: predicates }),
    answers,
  }
}

const askPredicates = (
  chance: Random,
  { held, index, free, most }: { held: Held; index: number; free: Set<string>; most: number },
  requested: Record<string, Query>,
  referents: string[],
): void => {
  const numbers = [...free].filter(
    (name) => /^-?\d{1,10}$/.test(held.values[name] ?? '') && Math.abs(Number(held.values[name])) <= 2 ** 31,
  )
  const count = Math.min(chance.integer(0, most), numbers.length * 4)
  for (let each = 0; each < count; each += 1) {
    const name = chance.pick(numbers)
    const type = chance.pick(COMPARISONS)
    const bound = honestBound(chance, type, Number(held.values[name]))
    if (bound === null) continue
    const referent = `p${index}_${each}`
    requested[referent] = { name, p_type: type, p_value: bound, ...restrictions(chance, held) }
    referents.push(referent)
    free.delete(name)
  }
}

const askAttributes = (
  chance: Random,
  held: Held,
  index: number,
  free: Set<string>,
  requested: Record<string, Query>,
  answer: { revealed: string[]; hidden: string[]; predicates: readonly string[] },
): void => {
  const names = [...free].filter(() => chance.oneIn(2)).slice(0, 8)
  if (names.length === 0 && answer.predicates.length === 0)
    names.push(...held.published.attributes.slice(0, 1))
  if (names.length > 2 && chance.oneIn(4)) {
    requested[`g${index}`] = { names, ...restrictions(chance, held) }
    answer.revealed.push(`g${index}`)
    return
  }
  for (const [each, name] of names.entries()) {
    const referent = `a${index}_${each}`
    requested[referent] = { name, ...restrictions(chance, held) }
    if (chance.oneIn(4) && answer.predicates.length + answer.revealed.length > 0) answer.hidden.push(referent)
    else answer.revealed.push(referent)
  }
}
