import type { Schema } from '../../../src/http/docs/described.ts'

/** A schema of the API description as a TypeScript type. */
export const typeText = (schema: Schema, indent = ''): string => {
  const { $ref, type, anyOf, items } = schema
  if ($ref !== undefined) return nameOf($ref)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeText(each, indent)))].join(' | ')
  if (type === 'object') return objectText(schema, indent)
  if (type === 'array') return `readonly ${bracketed(typeText(items ?? {}, indent))}[]`
  if (type === 'integer') return 'number'
  return type ?? 'unknown'
}

const SCHEMAS = '#/components/schemas/'

/** The names of all schemas that a schema refers to by itself. */
export const namesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as Schema
  return [
    ...(typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? [nameOf($ref)] : []),
    ...Object.values(value).flatMap(namesIn),
  ]
}

export const comment = (text: string | undefined, indent = ''): string => {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return `${indent}/** ${text} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const objectText = ({ properties, patternProperties, required = [] }: Schema, indent: string): string => {
  if (properties === undefined) {
    const [value] = Object.values(patternProperties ?? {})
    return `{ readonly [name: string]: ${value === undefined ? 'unknown' : typeText(value, indent)} }`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const text = typeText(field, inner)
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const said = required.includes(name)
      ? `readonly ${key}: ${text}`
      : `readonly ${key}?: ${text} | undefined`
    return `${comment(field.description, inner)}${inner}${said}\n`
  })
  // Names of any kind beside those that are known.
  const [other] = Object.values(patternProperties ?? {})
  if (other !== undefined) fields.push(`${inner}readonly [name: string]: ${typeText(other, inner)}\n`)
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

const bracketed = (text: string): string => (/^[\w.]+$/.test(text) ? text : `(${text})`)
