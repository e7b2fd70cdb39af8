import type { Schema } from './described.ts'
import { type Html, html, inlineOf } from './html.ts'

type Schemas = Readonly<Record<string, Schema>>

/** The fields of a body or an answer; those of records within it are folded. */
export const fieldsOf = (schema: Schema, schemas: Schemas): Html | null => {
  const { properties, required = [] } = resolved(schema, schemas)
  if (properties === undefined) return null
  const fields = Object.entries(properties).map(([name, field]) =>
    fieldView(name, field, required.includes(name), schemas),
  )
  return html`<ul class="fields">${fields}</ul>`
}

const fieldView = (name: string, schema: Schema, isRequired: boolean, schemas: Schemas): Html => {
  const { description } = schema
  const within = inside(schema, schemas)
  return html`<li>
<div class="field"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${!isRequired && html` <span class="optional">optional</span>`}</div>
${description !== undefined && html`<p>${inlineOf(description)}</p>`}
${limitsOf(schema)}
${within !== null && html`<details><summary>${within.title}</summary>${within.fields}</details>`}
</li>`
}

/** The fields of an object, or of the objects in an array. */
const inside = (
  schema: Schema,
  schemas: Schemas,
): { readonly title: string; readonly fields: Html } | null => {
  const candidates = [schema, ...(schema.anyOf ?? [])].map((each) => each.items ?? each)
  for (const candidate of candidates) {
    const fields = fieldsOf(candidate, schemas)
    if (fields !== null) return { title: titleOf(candidate), fields }
  }
  return null
}

const titleOf = (schema: Schema): string => {
  const name = nameOf(schema)
  return name === null ? 'Its fields' : `Fields of ${name}`
}

/** The type in words, such as "array of string or null". */
export const typeOf = (schema: Schema): string => {
  const { type, anyOf, items, format } = schema
  const name = nameOf(schema)
  if (name !== null) return name
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' or ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return `array of ${typeOf(items ?? {})}`
  if (format !== undefined) return format
  return type ?? 'any value'
}

const WORDS: Readonly<Record<string, (limit: number) => string>> = {
  minLength: (limit) => `at least ${limit} ${limit === 1 ? 'character' : 'characters'}`,
  maxLength: (limit) => `at most ${limit.toLocaleString('en-US')} characters`,
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  minItems: (limit) => `at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`,
  maxItems: (limit) => `at most ${limit} entries`,
}

export const limitsOf = (schema: Schema): Html | null => {
  const said = Object.entries(WORDS).flatMap(([name, words]) => {
    const limit = schema[name]
    return typeof limit === 'number' ? [words(limit)] : []
  })
  return said.length === 0 ? null : html`<p class="limits">${said.join(', ')}</p>`
}

const nameOf = ({ $ref }: Schema): string | null => $ref?.split('/').at(-1) ?? null

const resolved = (schema: Schema, schemas: Schemas): Schema => schemas[nameOf(schema) ?? ''] ?? schema
