import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'

/** Says which text holds a NUL or half a character, which no field of ours may; null when none does. */
export const malformedTextIn = (value: unknown, whole: string): string | null => {
  const place = placeOfMalformed(value)
  return place === null ? null : `${field(place, whole)} must not hold a NUL or half a character`
}

/** Null when the value fits, else one sentence that names the field. */
export type Validate = (value: unknown) => string | null

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: false,
  messages: false,
  // Errors carry the schema that the value breaks, whose example says what would fit.
  verbose: true,
  ownProperties: true,
})
addFormats.default(ajv)
// The pattern of a time that is sent says more, and less: seconds may be left out.
ajv.addFormat('date-time', true)
ajv.addKeyword({ keyword: 'example' })
// Rules that a command keeps, with codes of their own: the description alone says them as a schema.
ajv.addKeyword({ keyword: 'keptByCommand' })

/** Compiles once; call at start-up, not per request. `whole` names the value itself, such as "the body". */
export const compileSchema = (schema: TSchema, whole: string): Validate => {
  const check: ValidateFunction = ajv.compile(schema)
  return (value) => (check(value) ? null : sentence(deepest(check.errors ?? []), whole))
}

/** Where one of several shapes must fit, the caller meant the one whose mistake lies the deepest. */
const deepest = (errors: readonly ErrorObject[]): ErrorObject | undefined => {
  const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length
  const depth = Math.max(...errors.map(depthOf))
  return errors.find((error) => depthOf(error) === depth)
}

const sentence = (error: ErrorObject | undefined, whole: string): string => {
  if (error === undefined) return `${whole} is not valid`
  const at = error.instancePath.split('/').slice(1).map(unescapePointer)
  const params = error.params as Record<string, unknown>
  if (error.keyword === 'required')
    return `${field([...at, String(params.missingProperty)], whole)} is required`
  if (error.keyword === 'additionalProperties')
    return `${field([...at, String(params.additionalProperty)], whole)} is not a known property`
  if (error.keyword === 'pattern') return `${field(at, whole)} ${unlike(error.parentSchema)}`
  return `${field(at, whole)} ${brokenRule(error.keyword, params)}`
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * A name that is longer than any of ours comes from the caller and is cut, so that an error never grows with its input.
 */
const field = (parts: readonly string[], whole: string): string =>
  parts.length === 0 ? whole : parts.join('.').slice(0, 120)

const brokenRule = (keyword: string, params: Record<string, unknown>): string => {
  const limit = String(params.limit)
  const rules: Record<string, string> = {
    type: `must be ${named(params.type)}`,
    minLength: params.limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`,
    maxLength: `must have at most ${limit} characters`,
    minimum: `must be at least ${limit}`,
    maximum: `must be at most ${limit}`,
    minItems: `must have at least ${limit === '1' ? 'one entry' : `${limit} entries`}`,
    maxItems: `must have at most ${limit} entries`,
    minProperties: `must have at least ${limit} entries`,
    maxProperties: `must have at most ${limit} entries`,
    uniqueItems: 'must not have an entry twice',
    enum: `must be one of ${list(params.allowedValues)}`,
    const: `must be ${JSON.stringify(params.allowedValue)}`,
    anyOf: 'has a value that is not allowed',
    format: `must be a ${String(params.format)}`,
  }
  return rules[keyword] ?? 'is not valid'
}

const unlike = (schema: unknown): string => {
  const { examples = [] } = schema as { readonly examples?: readonly unknown[] }
  const [example] = examples
  const fitting = example === undefined ? '' : `; ${JSON.stringify(example)} would fit`
  return `has characters or a form that is not allowed${fitting}`
}

const named = (type: unknown): string => {
  const one = (it: string): string => (it === 'null' ? 'null' : /^[aeiou]/.test(it) ? `an ${it}` : `a ${it}`)
  return Array.isArray(type) ? type.map((it) => one(String(it))).join(' or ') : one(String(type))
}

const list = (values: unknown): string => (Array.isArray(values) ? values.map(String).join(', ') : '')

/** The steps that lead to a malformed text within the value; null when every text is well-formed. */
const placeOfMalformed = (value: unknown): readonly string[] | null => {
  if (typeof value === 'string') return isWellFormed(value) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    // A name that is malformed itself is not shown.
    const within = isWellFormed(name) ? placeOfMalformed(inner) : []
    if (within !== null) return isWellFormed(name) ? [name, ...within] : []
  }
  return null
}

/** Libraries in C end a text at NUL, and half a surrogate pair cannot be written in UTF-8. */
const isWellFormed = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** JSON in UTF-8 can hold either only as an escape, which hardly any body has: all others cost one search. */
export const mayHoldMalformedText = (json: string): boolean => json.includes('\\u')
