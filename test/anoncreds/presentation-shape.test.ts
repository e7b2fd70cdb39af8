import { describe, expect, it } from 'vitest'
import { bytesOf, integer, isBelow, Malformed, powerOfTwo } from '../../src/anoncreds/presentation-shape.ts'

describe('integers of presentations', () => {
  it.each(['0', '1', '-1', '12345678901234567890'])('are read: %s', (digits) => {
    expect(integer(digits, 'x')).toBe(digits)
  })

  it.each(['', '-0', '00', '01', '+1', ' 1', '1 ', '1e5', '0x1', '1.0', 'x', 5, null, '9'.repeat(1_001)])(
    'have one spelling, not %s',
    (value) => {
      expect(() => integer(value, 'x')).toThrow(Malformed)
    },
  )

  it('are compared by value', () => {
    expect(isBelow('9', '10')).toBe(true)
    expect(isBelow('10', '9')).toBe(false)
    expect(isBelow('10', '10')).toBe(false)
    expect(isBelow('-1', '10')).toBe(false)
    expect(isBelow('0', powerOfTwo(0))).toBe(true)
  })

  it('become big-endian bytes without leading zeros', () => {
    expect([...bytesOf('0')]).toEqual([])
    expect([...bytesOf('255')]).toEqual([255])
    expect([...bytesOf('256')]).toEqual([1, 0])
    expect([...bytesOf(powerOfTwo(20))]).toEqual([16, 0, 0])
  })
})
