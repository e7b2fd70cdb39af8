import { describe, expect, it } from 'vitest'
import { RecipientBusy } from '../../../src/host/effects/fair-scheduler.ts'
import { attempted } from '../../../src/actors/connection/best-effort.ts'

describe('an attempt', () => {
  it('is over when it succeeds and when it fails', async () => {
    await expect(attempted(Promise.resolve())).resolves.toBeUndefined()
    await expect(attempted(Promise.reject(new Error('away')))).resolves.toBeUndefined()
  })

  it('was none when its turn did not come', async () => {
    await expect(attempted(Promise.reject(new RecipientBusy()))).rejects.toThrow(RecipientBusy)
  })
})
