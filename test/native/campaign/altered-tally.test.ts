import { describe, expect, it } from 'vitest'
import { AlteredTally } from '../../../native/campaign/altered-tally.ts'
import { sum } from '../../../native/campaign/members.ts'
import { inputOf, readFixture } from '../../anoncreds/verifier-fixtures.ts'

const honest = inputOf(readFixture('honest'))
const altered = { ...honest, request: JSON.stringify({ ...JSON.parse(honest.request), name: 'another' }) }
const verdicts = (library: string, native: string, checks = 'accepted') => ({
  library,
  native,
  own: native,
  checks,
})

describe('the tally of altered inputs', () => {
  it('takes an input once', () => {
    const tally = new AlteredTally()
    expect([tally.isNew(altered), tally.isNew({ ...altered }), tally.tried]).toEqual([true, false, 1])
  })

  it('counts what both refused, both accepted, ours alone refused, and ours left to the library', () => {
    const tally = new AlteredTally()
    const count = (library: string, native: string, checks?: string) =>
      tally.count('kind', verdicts(library, native, checks), honest, altered)
    count('refused', 'refused')
    count('accepted', 'accepted')
    count('accepted', 'refused')
    count('accepted', 'not-understood', 'refused')
    count('accepted', 'not-understood')
    expect(tally.totals.byKind['kind']).toEqual({
      tried: 5,
      refusedByBoth: 1,
      acceptedByBoth: 1,
      stricter: 2,
      left: 1,
    })
  })

  it('says why what both accepted is right, and where nobody knows', () => {
    const tally = new AlteredTally()
    const nonce = { ...honest, request: JSON.stringify({ ...JSON.parse(honest.request), nonce: '5' }) }
    expect(tally.count('kind', verdicts('accepted', 'accepted'), honest, altered)).toBe(true)
    expect(tally.count('kind', verdicts('accepted', 'accepted'), honest, nonce)).toBe(false)
    expect(tally.totals.reasons).toEqual({
      'the request’s name and version are for people': 1,
      'not explained': 1,
    })
  })

  it('adds up over processes', () => {
    expect(sum({ a: 1, b: { c: 2 } }, { b: { c: 3, d: 4 } })).toEqual({ a: 1, b: { c: 5, d: 4 } })
  })
})
