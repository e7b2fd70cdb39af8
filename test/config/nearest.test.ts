import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/config/nearest.ts'

describe('the nearest name', () => {
  it.each([
    ['VOUCHSAFE_JOURNL', 'VOUCHSAFE_JOURNAL'],
    ['VOUCHSAFE_LOGLEVEL', 'VOUCHSAFE_LOG_LEVEL'],
    ['VOUCHSAFE_STERAM', 'VOUCHSAFE_STREAM'],
  ])('of %s is %s', (wrong, right) => {
    expect(nearest(wrong, ['VOUCHSAFE_STREAM', 'VOUCHSAFE_LOG_LEVEL', 'VOUCHSAFE_JOURNAL'])).toBe(right)
  })

  it('is none when nothing is close', () => {
    expect(nearest('QWERTZUIOP', ['VOUCHSAFE_STREAM'])).toBeNull()
    expect(nearest('A', [])).toBeNull()
  })
})
