import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../src/host/backoff.ts'
import { createRuntime } from '../../src/host/runtime.ts'

const pauses = (random: number) =>
  [1, 2, 3, 9, 10, 1_000].map((attempts) => backoffMs(attempts, { ...createRuntime(), random: () => random }))

describe('the pause before another attempt', () => {
  it('doubles from a second to five minutes', () => {
    expect(pauses(1)).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000])
  })

  it('is spread over half of it', () => {
    expect(pauses(0)).toEqual([500, 1_000, 2_000, 128_000, 150_000, 150_000])
  })
})
