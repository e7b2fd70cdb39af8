import { describe, expect, it } from 'vitest'
import { fourSquares } from '../../../native/campaign/four-squares.ts'
import { random } from '../../../native/campaign/plain-numbers.ts'

describe('four squares', () => {
  it('add up to any number that is not below zero', () => {
    const small = Array.from({ length: 1_500 }, (_, index) => BigInt(index))
    for (const number of [...small, 4n ** 20n, 4n ** 20n * 7n, 2n ** 31n - 1n, random(256)])
      expect(fourSquares(number)?.reduce((sum, root) => sum + root * root, 0n)).toBe(number)
  })

  it('are not there for a number below zero', () => {
    expect(fourSquares(-1n)).toBeNull()
  })
})
