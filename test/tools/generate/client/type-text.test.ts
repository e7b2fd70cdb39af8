import { expect, it } from 'vitest'
import { comment, namesIn, typeText } from '../../../../tools/generate/client/type-text.ts'

const reference = { $ref: '#/components/schemas/Thing' }

it.each([
  [{ type: 'integer' }, 'number'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: 'array', items: { enum: ['a', "b'"] } }, "readonly ('a' | 'b\\'')[]"],
  [{ type: 'array', items: reference }, 'readonly Thing[]'],
  [
    { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    '{ readonly [name: string]: string }',
  ],
  [{ const: null }, 'null'],
  [{ type: 'object', properties: {} }, '{}'],
  [{}, 'unknown'],
])('%j is %s', (schema, expected) => {
  expect(typeText(schema)).toBe(expected)
})

it('says of a field what it means and whether it may be left out', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', description: 'Names it.' }, 'x-y': { type: 'null' } },
  }
  expect(typeText(schema)).toBe(
    "{\n  /** Names it. */\n  readonly id: string\n  readonly 'x-y'?: null | undefined\n}",
  )
})

it('finds the names of schemas and of nothing else', () => {
  expect(namesIn({ a: [reference], b: { $ref: '#/components/headers/Link' } })).toEqual(['Thing'])
})

it('a comment cannot be ended from within', () => {
  expect(comment('a */ b\nc')).toBe('/**\n * a * / b\n * c\n */\n')
})
