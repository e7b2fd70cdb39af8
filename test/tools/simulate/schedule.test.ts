import { describe, expect, it } from 'vitest'
import { runSchedule } from '../../../tools/simulate/schedule.ts'
import { asBuilt, brokenVariants } from '../../../tools/simulate/variants.ts'

/** A different span of seeds every day, so that the short run finds its way through them all. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 1_000

describe('the simulated cluster', () => {
  it('keeps every rule in schedules of faults', { timeout: 120_000 }, async () => {
    for (let seed = firstSeed; seed < firstSeed + 300; seed++) {
      const { violation } = await runSchedule(seed, asBuilt, false)
      expect(violation, `replay: npm run simulate -- --world log --seed ${seed}`).toBeNull()
    }
  })

  it('does the same for the same seed', { timeout: 60_000 }, async () => {
    for (const seed of [3, firstSeed]) {
      const [one, other] = [await runSchedule(seed, asBuilt, true), await runSchedule(seed, asBuilt, true)]
      expect(one.trace?.length).toBeGreaterThan(100)
      expect(one.trace).toEqual(other.trace)
    }
  })

  it.each(brokenVariants)('notices what $name gets wrong', { timeout: 120_000 }, async (variant) => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const { violation } = await runSchedule(seed, variant, false)
      if (violation?.name === 'Violation') return
      expect(violation).toBeNull()
    }
    expect.unreachable(`${variant.name} went unnoticed`)
  })
})
