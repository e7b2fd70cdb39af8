import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/http/docs/described.ts'
import { fieldsOf, limitsOf, typeOf } from '../../../src/http/docs/schema-view.ts'

const text = { type: 'string' }
const nothing = { type: 'null' }
const cases: readonly (readonly [Schema, string])[] = [
  [{ anyOf: [text, nothing] }, 'string or null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Thing' } }, 'array of Thing'],
  [{ type: 'string', format: 'date-time' }, 'date-time'],
  [{ enum: ['a', 'b'] }, '"a" or "b"'],
  [{ const: 'x' }, '"x"'],
  [{}, 'any value'],
]

describe('a field', () => {
  it.each(cases)('of %j is called %s', (schema, expected) => {
    expect(typeOf(schema)).toBe(expected)
  })

  it('says its limits in words', () => {
    expect(limitsOf({ minLength: 1, maxLength: 7_000_000 })?.text).toContain(
      'at least 1 character, at most 7,000,000 characters',
    )
    expect(limitsOf({ maximum: 9, minItems: 2, maxItems: 3 })?.text).toContain(
      'at most 9, at least 2 entries, at most 3 entries',
    )
    expect(limitsOf(text)).toBeNull()
  })
})

describe('the fields of a schema', () => {
  const schemas = { Thing: { type: 'object', required: ['id'], properties: { id: text, note: text } } }

  it('are those of the record that it refers to; what may be left out says so', () => {
    const shown = fieldsOf({ $ref: '#/components/schemas/Thing' }, schemas)?.text ?? ''
    expect(shown.match(/<code>\w+<\/code>/g)).toEqual(['<code>id</code>', '<code>note</code>'])
    expect(shown.match(/optional<\/span>/g)?.length).toBe(1)
  })

  it('fold what is within, in lists and choices too', () => {
    const within = { type: 'object', properties: { deep: text } }
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: within }, b: { anyOf: [nothing, within] }, c: schemas.Thing },
    }
    const shown = fieldsOf(schema, schemas)?.text ?? ''
    expect(shown.match(/<details>/g)?.length).toBe(3)
    expect(shown).toContain('<summary>Its fields</summary>')
  })

  it('are none of what has none', () => {
    expect(fieldsOf(text, schemas)).toBeNull()
  })
})
