import { describe, expect, it } from 'vitest'
import { runAsksSchedule } from '../../../tools/simulate/asks/asks-schedule.ts'
import { asBuilt, brokenVariants } from '../../../tools/simulate/asks/asks-variants.ts'

/** A different span of seeds every day, so that the short run finds its way through them all. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 1_000

describe('asks between simulated nodes', () => {
  it('keep every rule while shards move, frames are lost and owners freeze', {
    timeout: 240_000,
  }, async () => {
    for (let seed = firstSeed; seed < firstSeed + 150; seed++) {
      const { violation } = await runAsksSchedule(seed, asBuilt, false)
      expect(violation, `replay: npm run simulate -- --world asks --seed ${seed}`).toBeNull()
    }
  })

  it('do the same for the same seed', { timeout: 120_000 }, async () => {
    const [one, other] = [
      await runAsksSchedule(firstSeed, asBuilt, true),
      await runAsksSchedule(firstSeed, asBuilt, true),
    ]
    expect(one.trace?.length).toBeGreaterThan(100)
    expect(one.trace).toEqual(other.trace)
  })

  it.each(brokenVariants)('notice what $name gets wrong', { timeout: 240_000 }, async (variant) => {
    for (let seed = 1; seed <= 500; seed++) {
      const { violation } = await runAsksSchedule(seed, variant, false)
      if (violation?.name === 'Violation') return
      expect(violation).toBeNull()
    }
    expect.unreachable(`${variant.name} went unnoticed`)
  })
})
