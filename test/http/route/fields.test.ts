import { describe, expect, it } from 'vitest'
import { exact, id, isoTime } from '../../../src/http/route/fields.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

describe('fields of records', () => {
  it('are exactly those that are named; times are UTC', () => {
    const check = compileSchema(exact({ id }), 'the body')
    expect([check({ id: 'a' }), check({ id: 'a', b: 1 })]).toEqual([null, 'b is not a known property'])
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
  })

  it('show any time as the platform would', () => {
    for (let ms = -1e12; ms < 4e12; ms += 1_234_567_891.5 * 3) {
      const whole = Math.floor(ms)
      expect(isoTime(whole)).toBe(new Date(whole).toISOString())
    }
  })
})
