import { describe, expect, it } from 'vitest'
import { brokenTextIn, mayHoldBrokenText } from '../../../src/http/route/well-formed-text.ts'

describe('a text', () => {
  it.each([
    ['a\0b', []],
    ['\ud800', []],
    [{ a: 'x', b: { c: ['ok', '\udc00'] } }, ['b', 'c', '1']],
    [{ a: { 'x\0': 'y' } }, ['a']],
    [{ '\ud800': 1 }, []],
  ])('that is broken is found in %j', (value, at) => {
    expect(brokenTextIn(value)).toEqual(at)
    expect(mayHoldBrokenText(JSON.stringify(value))).toBe(true)
  })

  it.each(['', 'ü', '👩‍🚀', { a: ['\u0001', null, 1, true], b: {} }, 12, null])(
    'that is whole is left alone, as in %j',
    (value) => {
      expect(brokenTextIn(value)).toBeNull()
    },
  )

  it('that is broken stands in JSON as an escape alone', () => {
    expect(mayHoldBrokenText('{"a":"\ud83d\ude00 and ü"}')).toBe(false)
    expect(() => void JSON.parse('"a\0b"')).toThrow()
  })
})
