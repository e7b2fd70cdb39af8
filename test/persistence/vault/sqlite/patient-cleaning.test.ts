import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreFailure } from '../../../../src/persistence/store-port.ts'
import { patientCleaning } from '../../../../src/persistence/vault/sqlite/patient-cleaning.ts'

const inUse = new StoreFailure('unknown', 'another process is using it')

describe('waiting for a clean log of the key file', () => {
  let failure: Error | null
  let attempts: number
  let clean: () => Promise<void>

  beforeEach(() => {
    vi.useFakeTimers()
    failure = null
    attempts = 0
    clean = patientCleaning(async () => {
      attempts += 1
      if (failure !== null) throw failure
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('tries once where nobody reads the file', async () => {
    await clean()
    expect(attempts).toBe(1)
  })

  it('tries again until the reader has ended, for all who wait at the same moments', async () => {
    failure = inUse
    const first = clean()
    await vi.advanceTimersByTimeAsync(50)
    const second = clean()
    await vi.advanceTimersByTimeAsync(49)
    expect(attempts).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(attempts).toBe(4)
    failure = null
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all([first, second])
    expect(attempts).toBe(6)
  })

  it('gives up after four and a half seconds, when an erasure has its 503 already', async () => {
    failure = inUse
    const outcome = clean().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(4_400)
    expect(attempts).toBe(45)
    await vi.advanceTimersByTimeAsync(200)
    expect(await outcome).toBe(inUse)
  })

  it('does not try again once the file is closed', async () => {
    failure = new StoreFailure('not-applied', 'the journal is closed')
    await expect(clean()).rejects.toThrow('closed')
    expect(attempts).toBe(1)
  })
})
