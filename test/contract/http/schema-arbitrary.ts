import fc from 'fast-check'
import { WELL_FORMED } from '../../../src/http/route/fields.ts'

export type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** Long texts make every request slow; the edges themselves have tests of their own. */
const LENGTH_MAX = 300

/** Values that the schema accepts. */
export const fitting = (schema: Schema): fc.Arbitrary<unknown> => {
  const { anyOf, type, examples = [] } = schema
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(fitting))
  if (type === 'object') return objects(schema)
  if (type === 'array') {
    const minLength = schema.minItems ?? 0
    const maxLength = Math.min(schema.maxItems ?? 3, minLength + 3)
    if (schema.uniqueItems === true)
      return fc.uniqueArray(fitting(schema.items ?? {}), { minLength, maxLength })
    return fc.array(fitting(schema.items ?? {}), { minLength, maxLength })
  }
  // Some texts have a form that only their example shows.
  if (type === 'string' && examples.length > 0)
    return fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...examples) },
      { weight: 1, arbitrary: texts(schema) },
    )
  if (type === 'string') return texts(schema)
  if (type === 'integer')
    return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 })
  if (type === 'boolean') return fc.boolean()
  return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
}

const objects = ({ properties, patternProperties, required = [] }: Schema): fc.Arbitrary<unknown> => {
  if (properties === undefined) {
    const [value] = Object.values(patternProperties ?? {})
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fitting(value ?? {}), { maxKeys: 4 })
  }
  const model = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fitting(inner)]))
  return fc.record(model, { requiredKeys: [...required] })
}

const texts = ({ format, pattern, minLength = 0, maxLength = LENGTH_MAX }: Schema): fc.Arbitrary<string> => {
  if (format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date(4_000_000_000_000), noInvalidDate: true })
      .map((date) => date.toISOString())
  if (format === 'uuid') return fc.uuid()
  if (pattern !== undefined && pattern !== WELL_FORMED) return fc.stringMatching(new RegExp(pattern))
  const text = fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, LENGTH_MAX)),
    unit: 'grapheme',
  })
  return pattern === undefined ? text : text.filter((each) => new RegExp(pattern, 'u').test(each))
}

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    [],
    {},
    -1,
    1e308,
    0.5,
    '\u0000',
    { toString: 1 },
    '../..',
    "' OR 1=1 --",
    '%',
  ),
  fc.string({ minLength: 400, maxLength: 9_000 }),
)

/** Values that are spoilt in one place, or nothing like the schema at all. Some happen to fit all the same. */
export const spoilt = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.type !== 'object' || schema.properties === undefined) return strange
  const names = [...Object.keys(schema.properties), 'unknown', '__proto__', 'constructor']
  const inOnePlace = fc
    .tuple(fitting(schema), fc.constantFrom(...names), strange, fc.boolean())
    .map(([value, name, wrong, isMissing]) => {
      const entries = Object.entries(value as object).filter(([each]) => each !== name)
      return Object.fromEntries(isMissing ? entries : [...entries, [name, wrong]])
    })
  return fc.oneof({ weight: 4, arbitrary: inOnePlace }, { weight: 1, arbitrary: strange })
}
