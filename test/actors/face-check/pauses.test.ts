import { describe, expect, it } from 'vitest'
import { VendorPauses } from '../../../src/actors/face-check/pauses.ts'

const away = (retryAfterMs: number | null = null) =>
  ({ kind: 'away', why: 'throttled', retryAfterMs }) as const

describe('the pauses before a vendor is asked again', () => {
  it('grow up to a minute, are never shorter than the vendor asks for, and begin anew after an answer', () => {
    const pauses = new VendorPauses()
    const grown = Array.from({ length: 8 }, () => pauses.after('a', away()).againInMs)
    expect(grown).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    expect(pauses.after('b', away(7_000)).againInMs).toBe(7_000)
    pauses.clear('a')
    expect(pauses.after('a', away()).againInMs).toBe(1_000)
    const refused = { kind: 'refused', what: 'key', sentence: 'No.' } as const
    expect(pauses.after('c', refused).againInMs).toBe(30_000)
  })

  it('end before a session does, near whose end it is looked at every second', () => {
    const pauses = new VendorPauses()
    expect(pauses.after('a', away(600_000), 90_000).againInMs).toBe(89_000)
    const looks = Array.from({ length: 6 }, () => pauses.after('b', 'not-yet', 100_000).againInMs)
    expect(looks).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    expect(pauses.after('b', 'not-yet', 12_000).againInMs).toBe(1_000)
  })
})
