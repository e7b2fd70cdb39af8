import type { Code } from '../../../src/domain/codes.ts'
import { kinds } from '../../../src/actors/index.ts'
import { WELL_FORMED } from '../../../src/http/route/fields.ts'
import { publishedEventsOf } from '../../../src/actors/published-events.ts'
import type { Schema } from '../http/schema-arbitrary.ts'
import { askedOf } from './mechanism.ts'
import { type Case, type DescribedRoute, edge, type Sample } from './table.ts'
import { WIDE_ATTRIBUTES } from './wide-attributes.ts'
import type { Asked, Json } from './world.ts'

const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)

type Step = string | number
type Values = { readonly accepted: unknown; readonly refused: unknown; readonly of: string }
/** `part` is what the route's own request has in that place. */
type Shape = (length: number, part: unknown) => string

let made = 0
const passphrase: Shape = (length) =>
  Array.from(`Correct horse ${'battery 😀 '.repeat(200)}`)
    .slice(0, length)
    .join('')
const code: Shape = (length, part) =>
  `${String(part).slice(0, 3)}${' '.repeat(Math.max(0, length - 6))}${String(part).slice(3, length)}`
const emailAddress: Shape = (length) =>
  length < 9 ? 'a@bc'.slice(0, length) : `p${++made}@`.padEnd(length, 'e')
const moment: Shape = (length) =>
  length < 20 ? '2026-01-31T12:00Z' : '2026-01-31T12:00:00.123456789+01:00'.padEnd(length, '0')
const attribute: Shape = (length) => 'n'.repeat(length)
/** Groups of nine digits at most, with points between them. */
const version: Shape = (length) =>
  Array.from({ length }, (_, at) => (at === 9 || at === 19 || (length < 10 && at === 1) ? '.' : '1')).join('')

/** Texts that must look like something to be accepted, by the end of their place. */
const shaped: readonly (readonly [RegExp, Shape])[] = [
  [/^POST \/v1\/schemas version$/, version],
  [/^PUT \/v1\/webhook url$/, (length) => 'https://receiver.example/'.padEnd(length, 'x')],
  [/^POST \/v1\/enrolments password$| newPassword$/, passphrase],
  [/ code$/, code],
  [/ emailAddress$/, emailAddress],
  [/( query|\/retry) (from|to)$/, moment],
  [/ (groups\.0\.attributes\.0|predicates\.0\.attribute)$/, attribute],
  [/ attributes\.expiresAt$/, () => '1924992000'],
  [/ biometric\.referenceImage$/, (length) => 'x'.repeat(length)],
]

/** Entries of lists that cannot be made up. */
const listed: readonly (readonly [RegExp, (index: number, item: unknown) => unknown])[] = [
  [/^POST \/v1\/schemas attributes$/, (index) => (index === 0 ? 'expiresAt' : `name${index}`)],
  [/ groups\.0\.attributes$/, (index) => WIDE_ATTRIBUTES[index] ?? `more${index}`],
  [/ groups\.0\.credentialDefinitionIds$/, (_, item) => item],
  [/ items$/, (index, item) => ({ ...(item as object), idempotencyKey: `entry ${index}` })],
  [/ moves$/, (index, item) => ({ ...(item as object), shard: index })],
  [/ eventTypes$/, (index) => eventTypes[index % eventTypes.length]],
]

/** Where what is within the limit still has to be somebody's id or secret, or made by a device: what it is answered. */
const unknownThere: readonly (readonly [RegExp, Code])[] = [
  [/ path id$/, 'not_found'],
  [/^POST \S+ connectionId$/, 'connection_not_found'],
  [
    /^(POST|PATCH) \S+ (groups\.0\.credentialDefinitionIds\.0|credentialDefinitionId)$/,
    'credential_definition_not_found',
  ],
  [/^POST \/v1\/credential-definitions schemaId$/, 'not_found'],
  [/^POST \S+ proofTemplateId$/, 'proof_template_not_found'],
  [/^PUT \/v1\/biometric credentialDefinitionIds(\.0)?$/, 'credential_definition_not_found'],
  [/^PUT \/v1\/biometric vendor$/, 'biometric_setup_invalid'],
  [/^POST \/v1\/operator\/(api-keys tenantId|acting organisation)$/, 'not_found'],
  [/^POST \/v1\/operator\/tenants\/\S+\/delete name$/, 'invalid_request'],
  [/^POST \/v1\/operator\/shards\/\S+ to$/, 'not_found'],
  [/^POST \/v1\/operator\/ledger-agreement\/accept digest$/, 'agreement_outdated'],
  [/^POST \/v1\/operator\/ledger-agreement\/accept mechanism$/, 'invalid_request'],
  [/^GET \/v1\/operator\/shard-moves\/plan query drain$/, 'not_found'],
  [/^GET \/v1\/(operator\/)?overview query (from|to)$/, 'invalid_request'],
  [/^POST \/v1\/operator\/shard-moves moves\.0\.(from|to)$/, 'plan_outdated'],
  [/^POST \/v1\/enrolments(\/confirm)? invitation$/, 'not_found'],
  [/^POST \/v1\/sessions (organisation|emailAddress|password)$/, 'unauthorized'],
  [/^POST \/v1\/sessions\/second-factor (signIn|recoveryCode|passkey\.\S+)$/, 'unauthorized'],
  [/^POST \/v1\/session\/step-up passkey\.\S+$/, 'forbidden'],
  [/^POST \/v1\/account\/password currentPassword$/, 'forbidden'],
  [/^POST \/v1\/account\/passkeys response\.\S+$/, 'invalid_request'],
]

/** Where the command keeps the rule, with a code of its own. */
const keptByCommand: readonly (readonly [RegExp, Code])[] = [
  [/^POST \/v1\/credentials\/offer attributes\.expiresAt$/, 'expires_at_invalid'],
]

const of = <Value>(table: readonly (readonly [RegExp, Value])[], place: string): Value | undefined =>
  table.find(([pattern]) => pattern.test(place))?.[1]

/** A longer or shorter text of the same kind, never twice the same; its characters are no units of UTF-16. */
const text = (length: number, filling = '𝔵'): string =>
  `${++made}`.padStart(Math.min(6, length), 'a').slice(0, length) +
  filling.repeat(Math.max(0, length - Math.max(6, String(made).length)))

/** What is accepted last and refused first, for each limit of one place. */
const edgesOf = (schema: Schema, place: string, part: unknown): readonly Values[] => {
  const { pattern, minLength, maxLength, minimum, maximum, minItems, maxItems, uniqueItems } = schema
  const isAnyText = pattern === WELL_FORMED
  const isPlain = (pattern !== undefined && !isAnyText) || / (path|header) /.test(place)
  const textOf = (length: number): string =>
    of(shaped, place)?.(length, part) ?? text(length, isPlain ? 'x' : undefined)
  const item = Array.isArray(part) ? (part as readonly unknown[])[0] : undefined
  const entryOf = of(listed, place) ?? ((index: number) => itemOf(item, index))
  const list = (length: number) => Array.from({ length }, (_, index) => entryOf(index, item))
  const bound = (limit: number | undefined, words: string, by: 1 | -1, make: (at: number) => unknown) =>
    limit === undefined || (limit === 0 && by === -1 && make !== Number)
      ? []
      : [{ of: `${limit} ${words}`, accepted: make(limit), refused: make(limit + by) }]
  return [
    ...bound(maxLength, 'characters', 1, textOf),
    ...bound(minLength, 'characters at least', -1, textOf),
    ...bound(maximum, 'at most', 1, Number),
    ...bound(minimum, 'at least', -1, Number),
    ...bound(maxItems, 'entries', 1, list),
    ...bound(minItems, 'entries at least', -1, list),
    ...(pattern === undefined
      ? []
      : [
          {
            of: 'its form',
            accepted: textOf(isAnyText ? (minLength ?? 6) : 6),
            refused: isAnyText ? 'a\0' : / header /.test(place) ? 'ä' : '   ',
          },
        ]),
    ...(uniqueItems === true
      ? [{ of: 'no entry twice', accepted: list(2), refused: [...list(1), ...list(1)] }]
      : []),
    ...('const' in schema ? [schema.const] : (schema.enum ?? [])).map((value) => ({
      of: `is ${String(value)}`,
      accepted: value,
      refused: typeof value === 'number' ? value + 1 : `${String(value)}x`,
    })),
  ]
}

/** Entries of lists are told apart by their name, where they have one. */
const itemOf = (item: unknown, index: number): unknown => {
  if (typeof item === 'string') return index === 0 ? item : `${item}${index}`
  if (typeof item === 'object' && item !== null && 'name' in item && index > 0)
    return { ...item, name: `${String(item.name)}${index}` }
  return item ?? 'x'
}

/** Every place of the schema that has a limit. */
const places = (
  schema: Schema,
  at: readonly Step[] = [],
): readonly (readonly [readonly Step[], Schema])[] => [
  [at, schema],
  ...(schema.anyOf ?? []).flatMap((each) => places(each, at)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => places(inner, [...at, name])),
  ...(schema.items === undefined ? [] : places(schema.items, [...at, 0])),
]

const partAt = (value: unknown, [step, ...rest]: readonly Step[]): unknown => {
  if (step === undefined || typeof value !== 'object' || value === null)
    return step === undefined ? value : undefined
  return partAt((value as Readonly<Record<Step, unknown>>)[step], rest)
}

const replaced = (value: unknown, [step, ...rest]: readonly Step[], by: unknown): unknown => {
  if (step === undefined) return by
  if (Array.isArray(value) || typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly unknown[])] : []
    list[Number(step)] = replaced(list[Number(step)], rest, by)
    return list
  }
  const object =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  return { ...object, [step]: replaced(object[step], rest, by) }
}

type Put = (asked: Sampled, value: unknown) => Asked
type Sampled = Asked & Pick<Awaited<ReturnType<Sample>>, 'instead' | 'alongside'>

const cases = (
  route: DescribedRoute,
  sample: Sample,
  name: string,
  schema: Schema,
  put: Put,
  partOf: (asked: Sampled) => unknown,
): readonly Case[] => {
  const place = `${route.name} ${name}`
  const orElse = of(unknownThere, place)
  const sampled = async (at: Parameters<Sample>[0]): Promise<Sampled> => askedOf(route, await sample(at))
  return edgesOf(schema, place, undefined).map(({ of: limit }, index) =>
    edge(route.name, `${name}, ${limit}`, async (at) => {
      const one = await sampled(at)
      const values = edgesOf(schema, place, partOf(one))[index]
      const fitting = put(one, values?.accepted)
      const body = one.alongside === undefined ? fitting.body : one.alongside(fitting.body as Json, name)
      // Before anything else is made ready: codes of an authenticator are good for a minute.
      const accepted = await at.ask(route.method, { ...fitting, body })
      const another = await sampled(at)
      return {
        accepted,
        refused: await at.ask(route.method, put(another, values?.refused)),
        as: of(keptByCommand, place) ?? 'invalid_request',
        names: fieldOf(name),
        ...(orElse !== undefined && { orElse }),
      }
    }),
  )
}

/** `query q each` and `groups.0.name` are q and name. */
const fieldOf = (name: string): string => {
  const [, parameter] = /^(?:query|path|header) (\S+)/.exec(name) ?? []
  return parameter ?? name.split('.').findLast((step) => !/^\d+$/.test(step)) ?? ''
}

/** With the part that is to be changed. */
const bodyFor = (asked: Sampled, step: Step | undefined): unknown => {
  const { body, instead = {} } = asked
  if (step === undefined || !(step in instead)) return body
  return { ...(body as object), [step]: instead[step] }
}

/** For every limit in the description of a route: what is accepted last, and what is refused first. */
export const schemaEdges = (route: DescribedRoute, sample: Sample): readonly Case[] => {
  const { parameters = [], requestBody } = route.operation
  const ofParameters = parameters.flatMap(({ name, in: place, schema: described }) => {
    // An empty id is another path.
    const { minLength, ...rest } = described as Schema
    const schema = place === 'path' || minLength === undefined ? rest : { ...rest, minLength }
    const put: Put = (asked, value) => withParameter(route, asked, name, place, value)
    return cases(route, sample, `${place} ${name}`, schema, put, () => undefined).concat(
      cases(route, sample, `${place} ${name} each`, schema.items ?? {}, put, () => undefined),
    )
  })
  const body = requestBody?.content['application/json'].schema as Schema | undefined
  const ofBody =
    body === undefined
      ? []
      : places(body).flatMap(([steps, schema]) => {
          const put: Put = (asked, value) => ({
            ...asked,
            body: replaced(bodyFor(asked, steps[0]), steps, value),
          })
          const partOf = (asked: Sampled) => partAt(bodyFor(asked, steps[0]), steps)
          return cases(route, sample, steps.join('.'), schema, put, partOf)
        })
  return [...ofParameters, ...ofBody]
}

const withParameter = (
  { path }: DescribedRoute,
  asked: Asked,
  name: string,
  place: string,
  value: unknown,
): Asked => {
  if (place === 'header')
    return { ...asked, headers: { ...asked.headers, [name.toLowerCase()]: String(value) } }
  if (place === 'path') return { ...asked, target: path.replace(`{${name}}`, String(value)) }
  const params = new URLSearchParams()
  for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value])
    params.append(name, String(each))
  const [target = path] = asked.target.split('?')
  return { ...asked, target: `${target}?${params.toString()}` }
}
