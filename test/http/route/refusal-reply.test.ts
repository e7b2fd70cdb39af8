import { describe, expect, it } from 'vitest'
import { refusalReply } from '../../../src/http/route/refusal-reply.ts'

describe('what the server itself refuses', () => {
  it.each([
    ['head_too_large', 431, 'invalid_request'],
    ['body_too_large', 413, 'payload_too_large'],
    ['body_memory_full', 503, 'overloaded'],
    ['malformed', 400, 'invalid_request'],
  ] as const)('is answered with a status and closes: %s', (refusal, status, error) => {
    const reply = refusalReply(refusal)
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
