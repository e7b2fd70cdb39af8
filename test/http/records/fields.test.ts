import { describe, expect, it } from 'vitest'
import { exact, id, isoTime } from '../../../src/http/records/fields.ts'
import { compileSchema } from '../../../src/http/validation.ts'

describe('fields of records', () => {
  it('are exactly those that are named; times are UTC', () => {
    const check = compileSchema(exact({ id }), 'the body')
    expect([check({ id: 'a' }), check({ id: 'a', b: 1 })]).toEqual([null, 'b is not a known property'])
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
  })
})
