import { describe, expect, it } from 'vitest'
import { nextTurn, together } from '../../src/timing/together.ts'

describe('what many do at the same time', () => {
  it('is done at the end of a second', () => {
    expect([together(1), together(1_000), together(1_001)]).toEqual([1_000, 1_000, 2_000])
  })

  it('comes at the first turn of its group from the given time on', () => {
    for (const group of [0, 1, 77, 255]) {
      const turnMs = nextTurn(1_000_000, 20_000, group)
      expect(turnMs).toBeGreaterThanOrEqual(1_000_000)
      expect(turnMs).toBeLessThan(1_020_000)
      expect(nextTurn(turnMs, 20_000, group)).toBe(turnMs)
      expect(nextTurn(turnMs + 1, 20_000, group)).toBe(turnMs + 20_000)
    }
  })

  it('has turns that fill the period evenly', () => {
    const turns = Array.from({ length: 256 }, (_, group) => nextTurn(0, 20_000, group)).sort(
      (one, other) => one - other,
    )
    const gaps = turns.map((turnMs, at) => turnMs - (turns[at - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(250)
  })
})
