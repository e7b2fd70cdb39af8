import { WELL_FORMED } from '../route/fields.ts'

/**
 * What is sent, with the rule that holds for every text of a request (no NUL, no half character) and those that the
 * command keeps instead of the schema (`keptByCommand`), so that what fits the description is not refused for its form.
 */
export const asSent = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(asSent)
  if (typeof schema !== 'object' || schema === null) return schema
  const { keptByCommand = {}, ...rest } = schema as Readonly<Record<string, unknown>>
  const inner: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries({ ...rest, ...(keptByCommand as object) }).map(
      ([key, value]) => [key, VALUES.includes(key) ? value : asSent(value)] as const,
    ),
  )
  if (inner['type'] === 'object' && 'patternProperties' in inner)
    return { ...inner, propertyNames: { pattern: WELL_FORMED, ...(inner['propertyNames'] as object) } }
  const isFree = inner['type'] === 'string' && LIMITED.every((keyword) => !(keyword in inner))
  return isFree ? { ...inner, pattern: WELL_FORMED } : inner
}

/** Members that hold values, not schemas. */
const VALUES = ['example', 'examples', 'default', 'enum', 'const']
/** A text that one of these limits has no such characters. */
const LIMITED = ['pattern', 'format', 'enum', 'const']
