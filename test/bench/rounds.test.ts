import { describe, expect, it } from 'vitest'
import { interleave } from '../../bench/harness/rounds.ts'

describe('interleaved rounds', () => {
  it('run the contestants in turn, in the opposite order every other round', async () => {
    const order: string[] = []
    const note = (who: string) => async (round: number) => {
      order.push(`${who}${round}`)
      return { per_s: 1 }
    }
    await interleave({ rounds: 2, warmups: 0, contestants: { subject: note('s'), baseline: note('b') } })
    expect(order).toEqual(['s0', 'b0', 'b1', 's1'])
  })

  it('throw the warm-ups away', async () => {
    const outcome = await interleave({
      rounds: 1,
      warmups: 1,
      contestants: { subject: async (round) => ({ per_s: round }) },
    })
    expect(outcome.values('subject', 'per_s')).toEqual([0])
  })

  it('give the median of the ratios of each round, which a drift of the machine does not move', async () => {
    const slower = [1, 0.5, 0.25]
    const outcome = await interleave({
      rounds: 3,
      warmups: 0,
      contestants: {
        subject: async (round) => ({ per_s: 80 * (slower[round] ?? 1) }),
        baseline: async (round) => ({ per_s: 100 * (slower[round] ?? 1) }),
      },
    })
    expect(outcome.ratio('subject', 'baseline', 'per_s')).toBeCloseTo(0.8)
    expect(outcome.ratioSpread('subject', 'baseline', 'per_s')).toEqual([0.8, 0.8])
    expect(outcome.median('subject', 'per_s')).toBe(40)
  })

  it('refuse a ratio to nothing', async () => {
    const outcome = await interleave({
      rounds: 1,
      contestants: { subject: async () => ({ per_s: 1 }), baseline: async () => ({ per_s: 0 }) },
    })
    expect(() => outcome.ratio('subject', 'baseline', 'per_s')).toThrow(
      'baseline measured per_s = 0 in round 1',
    )
  })
})
