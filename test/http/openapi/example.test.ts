import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { exampleOf } from '../../../src/http/openapi/example.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

const schemas = {
  text: Type.String({ minLength: 100, maxLength: 200 }),
  time: Type.String({ format: 'date-time' }),
  number: Type.Integer({ minimum: 7 }),
  choice: Type.Union([Type.Null(), Type.Literal('a')]),
  oneOf: Type.Unsafe<string>({ type: 'string', enum: ['x', 'y'] }),
  map: Type.Record(Type.String(), Type.Integer()),
  list: Type.Array(Type.Boolean(), { minItems: 2 }),
  whole: Type.Object({ id: Type.String(), none: Type.Null(), any: Type.Unknown() }),
  given: Type.String({ examples: ['as said'], pattern: '^as' }),
}

describe('an example', () => {
  it.each(Object.entries(schemas))('fits its schema: %s', (_, schema) => {
    const example = exampleOf(schema)
    expect(compileSchema(schema, 'it')(example)).toBeNull()
    expect(exampleOf(schema)).toEqual(example)
  })
})
