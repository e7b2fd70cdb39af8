import { describe, expect, it } from 'vitest'
import { type Code, codes } from '../../../src/domain/codes.ts'
import { problem, problemReply, retryAfter, statusOf } from '../../../src/http/route/problem.ts'

describe('a problem', () => {
  it('has a status for every code and no other', () => {
    expect(Object.keys(statusOf).toSorted()).toEqual(Object.keys(codes).toSorted())
  })

  it('is retryable wherever its status says "not now"', () => {
    const notNow = new Set([429, 500, 503])
    const retried = Object.entries(codes).filter(([, { retryable }]) => retryable)
    const expected = Object.keys(codes).filter((code) => notNow.has(statusOf[code as Code]))
    expect(retried.map(([code]) => code).toSorted()).toEqual(
      [...expected, 'idempotency_in_progress'].toSorted(),
    )
  })

  it('goes out as error and reason and nothing else', () => {
    const reply = problemReply(problem('not_found', 'There is no such thing.', { 'X-A': '1' }))
    expect(reply).toEqual({
      status: 404,
      headers: { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff', 'X-A': '1' },
      body: '{"error":"not_found","reason":"There is no such thing."}',
    })
  })

  it('never asks a caller to come back too early', () => {
    expect([0, 1, 999, 1000, 1001].map((ms) => retryAfter(ms)['Retry-After'])).toEqual([
      '1',
      '1',
      '1',
      '1',
      '2',
    ])
  })
})
