import { isDeepStrictEqual } from 'node:util'
import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { mapValues } from './members.ts'
import type { Random } from '../../tools/simulate/random.ts'

type Place = {
  readonly holder: Record<string | number, unknown>
  readonly key: string | number
  readonly path: string
}

const places = (value: unknown, path: string): Place[] => {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string | number, unknown>
  const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  // Of a list of bytes a few places stand for all.
  const kept = keys.length > 40 && Array.isArray(value) ? [0, 1, keys.length - 1] : keys
  return kept.flatMap((key) => {
    const here = { holder, key, path: `${path}/${String(key).replaceAll('/', '~')}` }
    return [here, ...places(holder[key], here.path)]
  })
}

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1,
  2 ** 31,
  0.5,
  '',
  '0',
  '1',
  '-1',
  '00',
  'x',
  '1e5',
  ' 1',
  [],
  {},
  [[]],
  'master_secret',
  '9'.repeat(1_500),
  '-'.repeat(3),
  '\u0000',
]

const alteredText = (chance: Random, text: string): unknown => {
  if (!/^-?\d+$/.test(text)) return chance.pick([`${text}x`, text.slice(1), text.toUpperCase(), '', 5])
  const number = BigInt(text)
  return chance.pick([
    String(number + 1n),
    String(number - 1n),
    String(-number),
    String(number ^ (1n << BigInt(chance.integer(0, 500)))),
    String(number << BigInt(chance.integer(1, 700))),
    String(number + (1n << BigInt(chance.integer(400, 3_000)))),
    `0${text}`,
    `+${text}`,
    text.slice(0, -1),
    text.length > 10 ? Number(text.slice(0, 9)) : Number(text),
  ])
}

/** What was done, and at which place: `part/member/member`. */
type Change = { readonly how: string; readonly path: string }

type Part = keyof Parts

/** Each in one of ten cases; in all others a value is altered. */
const RARE_CHANGES = ['removed', 'exchanged', 'repeated', 'replaced'] as const

/** Changes one place. */
const alterPlace = (chance: Random, part: Part, root: unknown): Change => {
  const all = places(root, part)
  if (all.length === 0) return { how: 'nothing', path: part }
  const { holder, key, path } = chance.pick(all)
  const old = holder[key]
  const how = RARE_CHANGES[chance.integer(0, 9)] ?? 'altered'
  if (how === 'removed') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else if (how === 'exchanged') {
    const other = chance.pick(all)
    const [left, right] = [structuredClone(old), structuredClone(other.holder[other.key])]
    holder[key] = right
    other.holder[other.key] = left
  } else if (how === 'repeated') {
    if (Array.isArray(holder)) holder.push(structuredClone(old))
    else {
      holder[`${key}x`] = structuredClone(old)
      return { how, path: `${path}x` }
    }
  } else holder[key] = how === 'replaced' ? chance.pick(oddValues) : alteredValue(chance, old)
  return { how, path }
}

const alteredValue = (chance: Random, old: unknown): unknown => {
  if (typeof old === 'string') return alteredText(chance, old)
  if (typeof old === 'number') return chance.pick([old + 1, old - 1, -old, old ^ 1, old * 256, 2 ** 40])
  if (Array.isArray(old) && old.length > 1) return chance.oneIn(2) ? old.toReversed() : old.slice(1)
  return structuredClone(chance.pick(oddValues))
}

export type Altered = {
  readonly input: PresentationInput
  readonly kind: string
}

export type Parts = {
  presentation: unknown
  request: unknown
  definitions: Record<string, unknown>
  schemas: Record<string, unknown>
}

const parse = (text: string): unknown => JSON.parse(text)
const written = (value: unknown): string => JSON.stringify(value) ?? 'null'

export const partsOf = (input: PresentationInput): Parts => ({
  presentation: parse(input.presentation),
  request: parse(input.request),
  definitions: mapValues(input.credentialDefinitions, parse),
  schemas: mapValues(input.schemas, parse),
})

export const inputWith = (honest: PresentationInput, parts: Parts): PresentationInput => ({
  ...honest,
  presentation: JSON.stringify(parts.presentation),
  request: JSON.stringify(parts.request),
  credentialDefinitions: mapValues(parts.definitions, written),
  schemas: mapValues(parts.schemas, written),
})

/** As JSON values: another order of members or another way to write a number is no change. */
export const isChanged = (honest: PresentationInput, input: PresentationInput): boolean =>
  !isDeepStrictEqual(partsOf(honest), partsOf(input))

/** One to three changes in presentation, request, definition or schema; null where they changed nothing. */
export const alter = (chance: Random, honest: PresentationInput): Altered | null => {
  const parts = partsOf(honest)
  const changes = Array.from({ length: chance.pick([1, 1, 1, 2, 3]) }, () => {
    const part = chance.pick<Part>([
      'presentation',
      'presentation',
      'presentation',
      'request',
      'definitions',
      'schemas',
    ])
    return alterPlace(chance, part, parts[part])
  })
  const input = inputWith(honest, parts)
  return isChanged(honest, input) ? { input, kind: kindOf(changes) } : null
}

const kindOf = (changes: readonly Change[]): string => {
  const [first] = changes
  if (first === undefined || changes.length > 1) return 'several places'
  const [part = '', member = ''] = first.path.split('/')
  const isMember = ['proof', 'requested_proof', 'identifiers'].includes(member)
  return `${isMember ? `${part}/${member}` : part}: ${first.how}`
}
