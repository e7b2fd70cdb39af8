import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../src/timing/backoff.ts'

const backoff = { firstMs: 100, maxMs: 1_000 }

describe('the pause between repetitions', () => {
  it('doubles with every failure up to the longest', () => {
    expect([1, 2, 3, 4, 5, 1_000].map((failures) => backoffMs(backoff, failures, 1))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ])
  })

  it('is between half and all of that, by chance', () => {
    expect(backoffMs(backoff, 3, 0)).toBe(200)
    expect(backoffMs(backoff, 3, 0.5)).toBe(300)
  })
})
