import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { brokenTextIn } from './well-formed-text.ts'

/** What texts are, whatever they are for; null when the value has no broken one. */
export const brokenTextProblem = (value: unknown, whole: string): string | null => {
  const found = brokenTextIn(value)
  return found === null ? null : `${field(found, whole)} must not hold a NUL or half a character`
}

/** Null when the value fits, else one sentence that names the field. */
export type Validate = (value: unknown) => string | null

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: false,
  messages: false,
  // With the schema that a value breaks, whose example says what would fit.
  verbose: true,
  ownProperties: true,
})
addFormats.default(ajv)
ajv.addKeyword({ keyword: 'example' })

/** Compiles once; call at start-up, not per request. `whole` names the value itself, such as "the body". */
export const compileSchema = (schema: TSchema, whole: string): Validate => {
  const check: ValidateFunction = ajv.compile(schema)
  return (value) => (check(value) ? null : sentence(deepest(check.errors ?? []), whole))
}

/** Where one of several shapes must fit, the one that was meant is the one that fits the furthest. */
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
  return `${field(at, whole)} ${rule(error.keyword, params)}`
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Names longer than any of ours come from the caller and are cut, so that an error never grows with its input. */
const field = (parts: readonly string[], whole: string): string =>
  parts.length === 0 ? whole : parts.join('.').slice(0, 120)

const rule = (keyword: string, params: Record<string, unknown>): string => {
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
