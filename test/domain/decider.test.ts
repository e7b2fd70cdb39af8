import { describe, expect, it } from 'vitest'
import { readAnswer, replyFrame } from '../../src/cluster/asks/answer.ts'
import { isRefused, refuse } from '../../src/domain/decider.ts'

const acrossNodes = (reply: unknown): unknown => {
  const answer = readAnswer(replyFrame(reply))
  return answer.is === 'reply' ? answer.reply : answer
}

describe('a refusal', () => {
  it('is one here and at another node, also where it says more', () => {
    const refused = refuse('rate_limited', 'Too often.')
    const locked = { ...refused, retryAfterMs: 29_000 }
    for (const each of [refused, locked]) {
      expect(isRefused(each)).toBe(true)
      expect(acrossNodes(each)).toEqual(each)
      expect(isRefused(acrossNodes(each))).toBe(true)
    }
  })

  it.each([
    { total: 3, offered: 1, refused: 2 },
    { refused: 0, reason: 'none' },
    { refused: true, reason: 'The vendor does not take it.' },
    { refused: 'rate_limited' },
    { refused: null, reason: null },
    { refused: { refused: 'rate_limited', reason: 'Too often.' }, reason: 'inside' },
    [refuse('rate_limited', 'Too often.')],
    { reason: 'words' },
    'refused',
    null,
    undefined,
  ])('is not %j', (reply) => {
    expect(isRefused(reply)).toBe(false)
    if (reply !== undefined) expect(isRefused(acrossNodes(reply))).toBe(false)
  })
})
