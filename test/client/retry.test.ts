import { describe, expect, it } from 'vitest'
import { mayComeAgain, pauseMs, RETRY_RULES } from '../../client/src/retry.ts'

const answer = (status: number | null, error: string | null = null, retryAfter: string | null = null) => ({
  status,
  error,
  retryAfter,
})

describe('another attempt', () => {
  it.each([
    [null, null, true],
    [500, 'internal', true],
    [503, 'overloaded', true],
    [429, 'rate_limited', true],
    [409, 'idempotency_in_progress', true],
    [409, 'connection_not_ready', false],
    [422, 'idempotency_key_reused', false],
    [400, 'invalid_request', false],
    [401, 'unauthorized', false],
  ])('after %s %s: %s', (status, error, expected) => {
    expect(mayComeAgain(answer(status, error))).toBe(expected)
  })
})

describe('the pause', () => {
  it('doubles up to its bound, of which a random part is taken', () => {
    const all = [1, 2, 3, 10].map((attempt) => pauseMs(answer(503), attempt, RETRY_RULES, () => 1))
    expect(all).toEqual([250, 500, 1_000, 10_000])
    expect(pauseMs(answer(503), 3, RETRY_RULES, () => 0.25)).toBe(250)
  })

  it('is never shorter than what the service asks for, in seconds or by a date', () => {
    expect(pauseMs(answer(429, null, '7'), 1, RETRY_RULES, () => 0)).toBe(7_000)
    const date = new Date(Date.now() + 60_000).toUTCString()
    expect(pauseMs(answer(503, null, date), 1, RETRY_RULES, () => 0)).toBeGreaterThan(55_000)
    expect(pauseMs(answer(503, null, 'soon'), 1, RETRY_RULES, () => 0)).toBe(0)
  })
})
