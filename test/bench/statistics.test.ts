import { describe, expect, it } from 'vitest'
import { median, percentile } from '../../bench/harness/statistics.ts'

describe('statistics', () => {
  it('take the middle, or the mean of the two middles', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  it('interpolate between ranks', () => {
    expect(percentile([10, 20, 30, 40, 50], 0)).toBe(10)
    expect(percentile([10, 20, 30, 40, 50], 90)).toBe(46)
    expect(percentile([10, 20, 30, 40, 50], 100)).toBe(50)
  })

  it('refuse no values', () => {
    expect(() => median([])).toThrow('a percentile of no values')
  })
})
