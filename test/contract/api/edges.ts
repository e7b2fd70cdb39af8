import { askedOf } from './mechanism.ts'
import { type Case, type DescribedRoute, edge, type Sample } from './table.ts'
import type { Asked } from './world.ts'

type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}
type Step = string | number
type Values = { readonly accepted: unknown; readonly refused: unknown; readonly of: string }

/** Texts that must look like something to be accepted, by the end of their place. */
const shaped: Readonly<Record<string, (length: number, part: unknown) => string>> = {
  'PUT /v1/webhook url': (length) =>
    'https://receiver.example/'.padEnd(length, 'x').slice(0, Math.max(length, 0)),
  'POST /v1/enrolments password': (length) => `Correct horse ${'battery '.repeat(200)}`.slice(0, length),
}

/** A longer or shorter text of the same kind, never twice the same. */
let made = 0
const text = (length: number): string =>
  `${++made}`.padStart(Math.min(6, length), 'a').slice(0, length).padEnd(length, 'x')

const edgesOf = (schema: Schema, textOf: (length: number) => string, item: unknown): readonly Values[] => {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  const list = (length: number) => Array.from({ length }, (_, index) => itemOf(item, index))
  return [
    ...(maxLength === undefined
      ? []
      : [{ of: `${maxLength} characters`, accepted: textOf(maxLength), refused: textOf(maxLength + 1) }]),
    ...(minLength === undefined || minLength === 0
      ? []
      : [
          {
            of: `${minLength} characters at least`,
            accepted: textOf(minLength),
            refused: textOf(minLength - 1),
          },
        ]),
    ...(maximum === undefined ? [] : [{ of: `${maximum} at most`, accepted: maximum, refused: maximum + 1 }]),
    ...(minimum === undefined
      ? []
      : [{ of: `${minimum} at least`, accepted: minimum, refused: minimum - 1 }]),
    ...(maxItems === undefined
      ? []
      : [{ of: `${maxItems} entries`, accepted: list(maxItems), refused: list(maxItems + 1) }]),
    ...(minItems === undefined || minItems === 0
      ? []
      : [{ of: `${minItems} entries at least`, accepted: list(minItems), refused: list(minItems - 1) }]),
    ...(schema.enum === undefined
      ? []
      : schema.enum.map((value) => ({
          of: `is ${String(value)}`,
          accepted: value,
          refused: typeof value === 'number' ? value + 1 : `${String(value)}x`,
        }))),
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

type Put = (asked: Asked, value: unknown) => Asked

const cases = (
  route: DescribedRoute,
  sample: Sample,
  name: string,
  schema: Schema,
  put: Put,
  partOf: (asked: Asked) => unknown,
): readonly Case[] => {
  const textOf = (length: number) => shaped[`${route.name} ${name}`]?.(length, null) ?? text(length)
  return edgesOf(schema, textOf, undefined).map(({ of }, index) =>
    edge(route.name, `${name}, ${of}`, async (at) => {
      const asked = async () => askedOf(route, await sample(at))
      const one = await asked()
      const values = edgesOf(schema, textOf, partOf(one))[index]
      const another = await asked()
      return {
        accepted: await at.ask(route.method, put(one, values?.accepted)),
        refused: await at.ask(route.method, put(another, values?.refused)),
        as: 'invalid_request',
        lenient: true,
        names: fieldOf(name),
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
const bodyFor = (
  asked: Asked & { readonly instead?: Readonly<Record<string, unknown>> },
  step: Step | undefined,
): unknown => {
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
          const partOf = (asked: Asked) => partAt(asked.body, [...steps, 0])
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
  return { ...asked, target: `${path}?${params.toString()}` }
}
