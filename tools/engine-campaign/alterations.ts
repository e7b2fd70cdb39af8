import type { PresentationInput } from '../../src/actors/anoncreds-port.ts'
import type { Chance } from './chance.ts'

type Place = {
  readonly holder: Record<string | number, unknown>
  readonly key: string | number
  readonly path: string
}

const places = (value: unknown, path = ''): Place[] => {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string | number, unknown>
  const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  // Of a list of bytes a few places stand for all.
  const kept = keys.length > 40 && Array.isArray(value) ? [0, 1, keys.length - 1] : keys
  return kept.flatMap((key) => {
    const here = { holder, key, path: `${path}/${key}` }
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

const alteredText = (chance: Chance, text: string): unknown => {
  if (!/^-?\d+$/.test(text)) return chance.pick([`${text}x`, text.slice(1), text.toUpperCase(), '', 5])
  const number = BigInt(text)
  return chance.pick([
    String(number + 1n),
    String(number - 1n),
    String(-number),
    String(number ^ (1n << BigInt(chance.between(0, 500)))),
    String(number << BigInt(chance.between(1, 700))),
    String(number + (1n << BigInt(chance.between(400, 3_000)))),
    `0${text}`,
    `+${text}`,
    text.slice(0, -1),
    text.length > 10 ? Number(text.slice(0, 9)) : Number(text),
  ])
}

/** Changes one place; returns a description of what was changed. */
const alterPlace = (chance: Chance, root: unknown): string => {
  const all = places(root)
  if (all.length === 0) return 'left nothing to alter'
  const { holder, key, path } = chance.pick(all)
  const old = holder[key]
  const kind = chance.between(0, 9)
  if (kind === 0) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
    return `removed ${path}`
  }
  if (kind === 1) {
    const other = chance.pick(all)
    const [left, right] = [structuredClone(holder[key]), structuredClone(other.holder[other.key])]
    holder[key] = right
    other.holder[other.key] = left
    return `exchanged ${path} and ${other.path}`
  }
  if (kind === 2) {
    if (Array.isArray(holder)) holder.push(structuredClone(old))
    else holder[`${key}x`] = structuredClone(old)
    return `doubled ${path}`
  }
  if (kind === 3) {
    holder[key] = chance.pick(oddValues)
    return `replaced ${path}`
  }
  if (typeof old === 'string') holder[key] = alteredText(chance, old)
  else if (typeof old === 'number')
    holder[key] = chance.pick([old + 1, old - 1, -old, old ^ 1, old * 256, 2 ** 40])
  else if (Array.isArray(old) && old.length > 1)
    holder[key] = chance.oneIn(2) ? old.toReversed() : old.slice(1)
  else holder[key] = structuredClone(chance.pick(oddValues))
  return `altered ${path}`
}

export type Altered = {
  readonly input: PresentationInput
  readonly what: string
  readonly isChanged: boolean
}

/** The same presentation with one to three changes in presentation, request or definition. */
export const alter = (chance: Chance, honest: PresentationInput): Altered => {
  const parts = {
    presentation: JSON.parse(honest.presentation) as unknown,
    request: JSON.parse(honest.request) as unknown,
    definitions: parsed(honest.credentialDefinitions),
    schemas: parsed(honest.schemas),
  }
  const changes = Array.from({ length: chance.pick([1, 1, 1, 2, 3]) }, () => {
    const part = chance.pick([
      'presentation',
      'presentation',
      'presentation',
      'request',
      'definitions',
      'schemas',
    ] as const)
    return `${part}: ${alterPlace(chance, parts[part])}`
  })
  const input = {
    ...honest,
    presentation: JSON.stringify(parts.presentation),
    request: JSON.stringify(parts.request),
    credentialDefinitions: written(parts.definitions),
    schemas: written(parts.schemas),
  }
  const same = (['presentation', 'request'] as const).every(
    (part) => JSON.stringify(JSON.parse(honest[part])) === input[part],
  )
  const isChanged =
    !same || JSON.stringify(parsed(honest.credentialDefinitions)) !== JSON.stringify(parts.definitions)
  return { input, what: changes.join('; '), isChanged }
}

const parsed = (texts: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, JSON.parse(text) as unknown] as const))

const written = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([id, value]) => [id, JSON.stringify(value) ?? 'null'] as const),
  )
