import { describe, expect, it } from 'vitest'
import { accountOf, refusedOrLocked, signedInAs, wrongCode } from '../../../src/actors/account/outcomes.ts'

const operator = { kind: 'operator', operatorId: 'acc_o', session: { id: 's', steppedUpAtMs: 0 } } as const
const member = { kind: 'member', tenantId: 't', memberId: 'acc_m', role: 'viewer' } as const

describe('outcomes of the console', () => {
  it('say how long to wait where that is the reason', () => {
    const locked = { refused: 'rate_limited', reason: 'Wait.', retryAfterMs: 1_001 } as const
    expect(refusedOrLocked(['unauthorized'], locked)).toMatchObject({
      problem: 'rate_limited',
      headers: { 'Retry-After': '2' },
    })
    expect(refusedOrLocked(['unauthorized'], { refused: 'unauthorized', reason: 'No.' })).toMatchObject({
      problem: 'unauthorized',
    })
  })

  it('call a wrong code in a good session forbidden, because signing in again would not help', () => {
    expect(wrongCode({ refused: 'unauthorized', reason: 'No.' })).toEqual({
      refused: 'forbidden',
      reason: 'No.',
    })
    expect(wrongCode({ refused: 'not_found', reason: 'No.' })).toMatchObject({ refused: 'not_found' })
  })

  it('know whose account and which session speaks', () => {
    expect(signedInAs(operator)).toEqual({ accountId: 'acc_o', sessionId: 's' })
    expect(signedInAs(member)).toEqual({ accountId: 'acc_m', sessionId: '' })
    expect(accountOf(member)).toBe('acc_m')
  })
})
