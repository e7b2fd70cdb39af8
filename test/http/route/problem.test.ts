import { describe, expect, it } from 'vitest'
import { type Code, codes } from '../../../src/domain/codes.ts'
import {
  problem,
  problemReply,
  refusal,
  refusalReply,
  retryAfter,
  statusOf,
} from '../../../src/http/route/problem.ts'

describe('a problem', () => {
  it('has a status for every code and no other', () => {
    expect(Object.keys(statusOf).toSorted()).toEqual(Object.keys(codes).toSorted())
  })

  it('is retryable wherever its status says "not now"', () => {
    const notNow = new Set([429, 500, 503, 507])
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

describe('a refusal of the rules', () => {
  it('goes out under its code, when the route documents it', () => {
    const refused = { refused: 'not_found', reason: 'No.' } as const
    expect(refusal(['not_found'], refused)).toMatchObject({ problem: 'not_found', reason: 'No.' })
    expect(() => refusal(['forbidden'], refused)).toThrow('does not document not_found')
  })
})

describe('what the server itself refuses', () => {
  it.each([
    ['head_too_large', 431, 'invalid_request'],
    ['body_too_large', 413, 'payload_too_large'],
    ['body_memory_full', 503, 'overloaded'],
    ['malformed', 400, 'invalid_request'],
  ] as const)('is answered with a status and closes: %s', (wrong, status, error) => {
    const reply = refusalReply(wrong)
    expect([reply.status, reply.close]).toEqual([status, true])
    const { reason, ...rest } = JSON.parse(String(reply.body)) as { readonly reason: string }
    expect(rest).toEqual({ error })
    expect(reason).toMatch(/\.$/)
  })

  it('says what exactly is wrong where that is known', () => {
    expect(JSON.parse(String(refusalReply('malformed', 'the header host is required').body))).toEqual({
      error: 'invalid_request',
      reason: 'The request is refused: the header host is required.',
    })
  })
})
