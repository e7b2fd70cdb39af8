import { describe, expect, it } from 'vitest'
import { hoistNamed } from '../../../src/http/openapi/components.ts'

const thing = { type: 'object', title: 'Thing', properties: {} }

describe('named schemas', () => {
  it('stand once, with references where they were', () => {
    const page = {
      type: 'object',
      title: 'ThingPage',
      properties: { items: { type: 'array', items: thing } },
    }
    const { document, schemas } = hoistNamed({ a: { schema: thing }, b: [{ schema: page }] })
    expect(document).toEqual({
      a: { schema: { $ref: '#/components/schemas/Thing' } },
      b: [{ schema: { $ref: '#/components/schemas/ThingPage' } }],
    })
    expect(Object.keys(schemas)).toEqual(['Thing', 'ThingPage'])
    expect(schemas['ThingPage']).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/Thing' } } },
    })
  })

  it('may not be two of one name', () => {
    const other = { ...thing, properties: { id: { type: 'string' } } }
    expect(() => hoistNamed({ a: thing, b: other })).toThrow('two different schemas are called Thing')
  })

  it('are not looked for in examples', () => {
    expect(hoistNamed({ example: thing }).document).toEqual({ example: thing })
  })
})
