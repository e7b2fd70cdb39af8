import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../../../src/http/route/query.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

const schema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
  verified: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
})
const read = compileQuery(schema)
const check = compileSchema(schema, 'the query')
const wrong = (query: string): string | null => check(read(query))

describe('a query', () => {
  it('is read as its schema says', () => {
    expect(read('page=2&q=a%20b&verified=true&state=x&state=y')).toEqual({
      page: 2,
      q: 'a b',
      verified: true,
      state: ['x', 'y'],
    })
    expect(read('state=x')).toEqual({ state: ['x'] })
    expect(read('')).toEqual({})
  })

  it('may have parameters that nobody knows', () => {
    expect(read('utm=1&__proto__=2&page=1')).toEqual({ page: 1 })
  })

  it.each(['page=1.0', 'page=1e2', 'page=+1', 'page=', 'page=%201', 'page=0x1', 'page=99999999999999999999'])(
    'does not take %s for a whole number',
    (query) => {
      expect(wrong(query)).toBe('page must be an integer')
    },
  )

  it('has its bounds', () => {
    expect(wrong('page=0')).toBe('page must be at least 1')
    expect(wrong('page=100001')).toBe('page must be at most 100000')
    expect(wrong('q=')).toBe('q must not be empty')
    expect(wrong('q=abcdef')).toBe('q must have at most 5 characters')
    expect(wrong('state=a&state=b&state=c')).toBe('state must have at most 2 entries')
  })

  it('refuses a parameter sent twice where one is meant', () => {
    expect(wrong('q=a&q=b')).toBe('q must be a string')
    expect(wrong('verified=maybe')).toBe('verified must be a boolean')
  })
})
