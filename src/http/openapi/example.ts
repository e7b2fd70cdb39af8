import type { TSchema } from 'typebox'

type Json = { readonly [key: string]: unknown }
type Plain = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** For fields of these names that have no example of their own. */
const named: Readonly<Record<string, string>> = { id: 'cre_5f1h2v9k3w7c8m4n6p0q5r2t', name: 'person' }

/** A value that the schema accepts; always the same one. */
export const exampleOf = (schema: TSchema, name = ''): unknown => {
  const plain = schema as Plain
  const { anyOf, examples, type } = plain
  if (examples !== undefined && examples.length > 0) return examples[0]
  if ('const' in plain) return plain.const
  if (plain.enum !== undefined) return plain.enum[0]
  if (anyOf !== undefined)
    return exampleOf(anyOf.find((each) => (each as Plain).type !== 'null') ?? anyOf[0] ?? {}, name)
  if (type === 'object') return objectOf(plain)
  if (type === 'array') return arrayOf(plain, name)
  if (type === 'string') return stringOf(plain, name)
  if (type === 'integer' || type === 'number') return Math.max(plain.minimum ?? 1, 1)
  return type === 'boolean' ? true : type === 'null' ? null : {}
}

const objectOf = ({ properties, patternProperties }: Plain): Json => {
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([property, inner]) => [property, exampleOf(inner, property)]),
    )
  const [value] = Object.values(patternProperties ?? {})
  return value === undefined ? {} : { name: exampleOf(value, 'value') }
}

const arrayOf = ({ items, minItems = 1 }: Plain, name: string): unknown[] =>
  items === undefined ? [] : Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, name))

const stringOf = ({ format, minLength = 0 }: Plain, name: string): string => {
  if (format === 'date-time') return '2026-01-31T12:00:00.000Z'
  return (named[name] ?? 'text').padEnd(minLength, '0')
}
