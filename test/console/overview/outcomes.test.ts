import { describe, expect, it } from 'vitest'
import { nowIn, outcomesOf, rateOf, reasonsOf } from '../../../console/src/overview/outcomes.ts'

const proofs = {
  recordType: 'proof',
  entered: [
    { state: 'request-sent', counts: [9, 9, 9] },
    { state: 'done', counts: [4, 5, 0] },
    { state: 'declined', counts: [0, 1, 0] },
    { state: 'abandoned', counts: [1, 0, 0] },
  ],
  failures: [
    { code: 'not_verified', counts: [1, 0, 0] },
    { code: 'no_answer', counts: [1, 0, 0] },
    { code: 'declined_by_holder', counts: [0, 1, 0] },
    { code: 'cancelled', counts: [0, 0, 0] },
  ],
}

describe('what records came to', () => {
  it('is well or not, hour by hour; a proof that does not verify is not', () => {
    expect(outcomesOf(proofs)).toEqual({ good: [3, 5, 0], bad: [2, 1, 0] })
  })

  it('has a number for each hour also where nothing came into a state', () => {
    const refused = { ...proofs, entered: [{ state: 'abandoned', counts: [0, 0, 2] }], failures: [] }
    expect(outcomesOf(refused)).toEqual({ good: [0, 0, 0], bad: [0, 0, 2] })
  })

  it('is nothing where nothing ended, and not known of a kind that is newer than the console', () => {
    expect(outcomesOf({ recordType: 'credential', entered: [], failures: [] })).toEqual({ good: [], bad: [] })
    expect(outcomesOf({ ...proofs, recordType: 'something' })).toBeNull()
  })

  it('has a rate, which is whole only where it is', () => {
    expect(rateOf({ good: [3, 5], bad: [2, 1] })).toBe(73)
    expect(rateOf({ good: [999], bad: [1] })).toBe(99)
    expect(rateOf({ good: [1], bad: [999] })).toBe(1)
    expect(rateOf({ good: [7], bad: [] })).toBe(100)
    expect(rateOf({ good: [], bad: [0] })).toBeNull()
  })

  it('has reasons, the most frequent first', () => {
    const often = { ...proofs, failures: [...proofs.failures, { code: 'erased', counts: [2, 2, 2] }] }
    expect(reasonsOf(often).map(({ code, count }) => `${code} ${count}`)).toEqual([
      'erased 6',
      'not_verified 1',
      'no_answer 1',
      'declined_by_holder 1',
    ])
  })

  it('counts what is in several states now', () => {
    const now = [
      { state: 'done', records: 7 },
      { state: 'offer-sent', records: 2 },
      { state: 'credential-issued', records: 1 },
    ]
    expect(nowIn({ now }, ['done', 'credential-issued'])).toBe(8)
    expect(nowIn({ now }, ['declined'])).toBe(0)
  })
})
