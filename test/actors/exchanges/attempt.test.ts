import { describe, expect, it } from 'vitest'
import { attempted } from '../../../src/actors/exchanges/attempt.ts'

describe('an attempt', () => {
  it('is over when it succeeds and when it fails', async () => {
    await expect(attempted(Promise.resolve())).resolves.toBeUndefined()
    await expect(attempted(Promise.reject(new Error('away')))).resolves.toBeUndefined()
  })
})
