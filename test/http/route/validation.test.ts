import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileSchema, malformedTextIn, mayHoldMalformedText } from '../../../src/http/route/validation.ts'

const check = compileSchema(
  Type.Object(
    {
      connectionId: Type.String({ minLength: 1, maxLength: 100 }),
      attributes: Type.Record(Type.String(), Type.String()),
      biometric: Type.Optional(
        Type.Object({ referenceImage: Type.String({ minLength: 3 }) }, { additionalProperties: false }),
      ),
      mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      days: Type.Optional(Type.Integer({ minimum: 0 })),
      group: Type.Optional(Type.String({ pattern: '^[a-z]*$', examples: ['person'] })),
      word: Type.Optional(Type.String({ pattern: '^[a-z]*$' })),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    },
    { additionalProperties: false },
  ),
  'the body',
)
const right = { connectionId: 'c', attributes: { name: 'x' } }

describe('validation', () => {
  it('says nothing about a value that fits', () => {
    expect(check(right)).toBeNull()
    expect(check({ ...right, biometric: { referenceImage: 'abc' }, mode: 'a', note: null })).toBeNull()
  })

  it.each([
    [{ attributes: {} }, 'connectionId is required'],
    [{ ...right, connectionId: 5 }, 'connectionId must be a string'],
    [{ ...right, connectionId: '' }, 'connectionId must not be empty'],
    [{ ...right, connectionId: 'x'.repeat(101) }, 'connectionId must have at most 100 characters'],
    [{ ...right, attributes: { name: 1 } }, 'attributes.name must be a string'],
    [{ ...right, group: 'A' }, 'group has characters or a form that is not allowed; "person" would fit'],
    [{ ...right, word: 'A' }, 'word has characters or a form that is not allowed'],
    [{ ...right, biometric: {} }, 'biometric.referenceImage is required'],
    [
      { ...right, biometric: { referenceImage: 'a' } },
      'biometric.referenceImage must have at least 3 characters',
    ],
    [{ ...right, conectionId: 'c' }, 'conectionId is not a known property'],
    [{ ...right, days: -1 }, 'days must be at least 0'],
    [{ ...right, days: 1.5 }, 'days must be an integer'],
    [[], 'the body must be an object'],
    [null, 'the body must be an object'],
    ['text', 'the body must be an object'],
  ])('of %j says: %s', (value, sentence) => {
    expect(check(value)).toBe(sentence)
  })

  it('never repeats more of a foreign name than fits on a line', () => {
    expect(check({ ...right, ['n'.repeat(100_000)]: 1 })?.length).toBeLessThan(200)
  })

  it('does not take inherited properties for sent ones', () => {
    expect(check(JSON.parse('{"__proto__": {"connectionId": "c"}, "attributes": {}}'))).toMatch(
      /__proto__|connectionId/,
    )
  })
})

describe('one of several shapes', () => {
  const either = compileSchema(
    Type.Object({
      value: Type.Union([Type.Integer(), Type.Object({ yearsAgo: Type.Integer({ maximum: 200 }) })]),
    }),
    'the body',
  )

  it('is told what is wrong in the shape that was meant', () => {
    expect(either({ value: { yearsAgo: 201 } })).toBe('value.yearsAgo must be at most 200')
    expect(either({ value: 'x' })).toBe('value must be an integer')
  })
})

describe('a text', () => {
  it.each([
    ['a\0b', 'the body'],
    ['\ud800', 'the body'],
    [{ a: 'x', b: { c: ['ok', '\udc00'] } }, 'b.c.1'],
    [{ a: { 'x\0': 'y' } }, 'a'],
    [{ '\ud800': 1 }, 'the body'],
  ])('that is malformed is found in %j', (value, at) => {
    expect(malformedTextIn(value, 'the body')).toBe(`${at} must not hold a NUL or half a character`)
    expect(mayHoldMalformedText(JSON.stringify(value))).toBe(true)
  })

  it.each(['', 'ü', '👩‍🚀', { a: ['\u0001', null, 1, true], b: {} }, 12, null])(
    'that is well-formed is left alone, as in %j',
    (value) => {
      expect(malformedTextIn(value, 'the body')).toBeNull()
    },
  )

  it('that is malformed stands in JSON only as an escape', () => {
    expect(mayHoldMalformedText('{"a":"\ud83d\ude00 and ü"}')).toBe(false)
    expect(() => void JSON.parse('"a\0b"')).toThrow()
  })
})
