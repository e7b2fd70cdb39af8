type Json = { readonly [key: string]: unknown }
type Hoisted = { readonly document: Json; readonly schemas: Readonly<Record<string, Json>> }

const NAME = /^[A-Z][A-Za-z]+$/

/** Collects the object schemas that have a name (their title), and puts a reference in the place of each. */
export const hoistNamed = (document: Json): Hoisted => {
  const schemas = new Map<string, Json>()
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inward(key, inner)]))
    const { title, type } = copy
    if (type !== 'object' || typeof title !== 'string' || !NAME.test(title)) return copy
    const known = schemas.get(title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy))
      throw new Error(`two different schemas are called ${title}`)
    schemas.set(title, copy)
    return { $ref: `#/components/schemas/${title}` }
  }
  /** Examples are values, not schemas, even where they look like one. */
  const inward = (key: string, inner: unknown): unknown =>
    key === 'example' || key === 'examples' ? inner : walk(inner)
  const walked = walk(document) as Json
  const sorted = [...schemas].toSorted(([left], [right]) => (left < right ? -1 : 1))
  return { document: walked, schemas: Object.fromEntries(sorted) }
}
