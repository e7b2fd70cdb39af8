import type { TObject, TSchema } from 'typebox'

type Reader = (values: readonly string[]) => unknown

/**
 * Turns a query string into the object a schema describes. Parameters that the schema doesn't know are ignored; what
 * can't be read as its type stays text, so that the validation names the field.
 */
export const compileQuery = (schema: TObject): ((query: string) => Record<string, unknown>) => {
  const readers = Object.entries(schema.properties).map(
    ([name, property]) => [name, reader(property)] as const,
  )
  return (query) => {
    const read: Record<string, unknown> = {}
    if (query === '') return read
    const params = new URLSearchParams(query)
    for (const [name, parse] of readers) {
      const values = params.getAll(name)
      if (values.length > 0) read[name] = parse(values)
    }
    return read
  }
}

const reader = (schema: TSchema): Reader => {
  const { type, items } = schema as { readonly type?: string; readonly items?: TSchema }
  if (type === 'array') {
    const one = items === undefined ? single((text) => text) : reader(items)
    return (values) => values.map((value) => one([value]))
  }
  if (type === 'integer') return single((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text))
  if (type === 'boolean') return single((text) => (text === 'true' ? true : text === 'false' ? false : text))
  return single((text) => text)
}

/** A parameter that is sent twice where one is meant stays a list, which fails the schema's type. */
const single =
  (parse: (text: string) => unknown): Reader =>
  (values) =>
    values.length === 1 ? parse(values[0] ?? '') : values
