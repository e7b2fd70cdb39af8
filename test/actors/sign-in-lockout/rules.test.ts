import { describe, expect, it } from 'vitest'
import { goneAtMs, type LockoutCommand, lockoutDecider } from '../../../src/actors/sign-in-lockout/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const count = (atMs: number): LockoutCommand => ({ type: 'CountAttempt', atMs, free: 5 })
const five = Array.from({ length: 5 }, () => count(0))
const last = (...commands: LockoutCommand[]) => runDecider(lockoutDecider, commands).replies.at(-1)

describe('attempts to get in', () => {
  it('are free five times, then wait for longer and longer, a quarter of an hour at most', () => {
    expect(last(...five)).toMatchObject({ count: 5, lockedUntilMs: 30_000 })
    expect(last(...five, count(1_000))).toMatchObject({ refused: 'rate_limited', retryAfterMs: 29_000 })
    expect(last(...five, count(29_999))).toMatchObject({ refused: 'rate_limited', retryAfterMs: 1 })
    expect(last(...five, count(30_000), count(30_001))).toMatchObject({
      refused: 'rate_limited',
      retryAfterMs: 59_999,
    })
    const many: LockoutCommand[] = [...five]
    for (let hour = 1; hour <= 20; hour++) many.push(count(hour * 3_600_000))
    expect(last(...many, count(20 * 3_600_000))).toMatchObject({
      refused: 'rate_limited',
      retryAfterMs: 900_000,
    })
  })

  it('that were right do not count, and being in forgets all', () => {
    const forgive: LockoutCommand = { type: 'ForgiveAttempt', atMs: 1, lockedUntilMs: 30_000 }
    expect(last(...five, forgive, count(2))).toMatchObject({ count: 5 })
    expect(last(...five, forgive, count(2), count(3))).toMatchObject({ refused: 'rate_limited' })
    const forget: LockoutCommand = { type: 'ForgetAttempts', atMs: 1 }
    expect(last(...five, forget, ...five.slice(1), count(2))).toMatchObject({ count: 5 })
    expect(runDecider(lockoutDecider, [forget]).events).toEqual([])
  })

  it('that were right leave the lock that another one has set', () => {
    const forgive: LockoutCommand = { type: 'ForgiveAttempt', atMs: 1, lockedUntilMs: 0 }
    expect(last(...five, forgive)).toMatchObject({ count: 4, lockedUntilMs: 30_000 })
    expect(last(...five, forgive, count(2))).toMatchObject({ refused: 'rate_limited' })
  })

  it('are forgotten after a day', () => {
    expect(runDecider(lockoutDecider, [...five, count(86_400_001)]).state).toMatchObject({
      count: 1,
    })
  })
})

describe('a counter', () => {
  it('goes whole when the next attempt counts as the first one', () => {
    const { state } = runDecider(lockoutDecider, five)
    expect(goneAtMs(state)).toBe(86_400_001)
    const { state: later } = runDecider(lockoutDecider, [...five, count(goneAtMs(state))])
    expect(later).toEqual(runDecider(lockoutDecider, [count(goneAtMs(state))]).state)
    expect(goneAtMs({ count: 0, lastAtMs: 7, lockedUntilMs: 0 })).toBe(7)
  })
})
