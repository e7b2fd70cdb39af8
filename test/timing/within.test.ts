import { describe, expect, it } from 'vitest'
import { within } from '../../src/timing/within.ts'

const late = () => new Error('it took too long')

describe('work within a time limit', () => {
  it('has the outcome of the work when that comes in time', async () => {
    await expect(within(60_000, Promise.resolve('done'), late)).resolves.toBe('done')
    await expect(within(60_000, Promise.reject(new Error('failed')), late)).rejects.toThrow('failed')
  })

  it('is rejected when the work takes longer', async () => {
    await expect(within(5, new Promise(() => undefined), late)).rejects.toThrow('it took too long')
  })
})
