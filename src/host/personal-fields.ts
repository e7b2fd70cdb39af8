import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export type Data = Record<string, unknown>

/** Takes the values of personal fields out: null stands in their place, and what is null already stays clear. */
export const split = (value: Data, personal: readonly string[]): { clear: Data; secret: Data | null } => {
  let clear = value
  let secret: Data | null = null
  for (const field of personal) {
    const content = value[field]
    if (content === null || content === undefined) continue
    if (secret === null) {
      secret = {}
      clear = { ...value }
    }
    secret[field] = content
    clear[field] = null
  }
  return { clear, secret }
}

/** Why a field can't be personal, or null. A field of a union must be in one of its members at least. */
export const personalFieldProblem = (schema: TSchema, field: string): string | null => {
  const found = propertySchemas(schema, field)
  if (found.length === 0) return `there is no field ${field} that could be personal`
  return found.every((property) => Compile(property).Check(null))
    ? null
    : `the personal field ${field} must admit null, which is what erasure leaves of it`
}

type ObjectOrUnion = {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly anyOf?: readonly TSchema[]
}

const propertySchemas = (schema: TSchema, field: string): TSchema[] => {
  const { properties, anyOf } = schema as ObjectOrUnion
  if (anyOf !== undefined) return anyOf.flatMap((member) => propertySchemas(member, field))
  const property = properties?.[field]
  return property === undefined ? [] : [property]
}
