import { describe, expect, it } from 'vitest'
import { brokenFactsVariants, factsAsBuilt } from '../../../tools/simulate/facts-variants.ts'
import { runFactsSchedule } from '../../../tools/simulate/facts-world.ts'
import { brokenRatesVariants, ratesAsBuilt } from '../../../tools/simulate/rates-variants.ts'
import { runRatesSchedule } from '../../../tools/simulate/rates-world.ts'

/** A different span of seeds every day, so that the short run finds its way through them all. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 1_000

describe('copies of hot facts in a simulated cluster', () => {
  it('never show what was before an answered change, and are there again in the end', {
    timeout: 300_000,
  }, async () => {
    for (let seed = firstSeed; seed < firstSeed + 300; seed++) {
      const { violation } = await runFactsSchedule(seed, factsAsBuilt, false)
      expect(violation, `seed ${seed}`).toBeNull()
    }
  })

  it.each(brokenFactsVariants)('notice what $name gets wrong', { timeout: 600_000 }, async (variant) => {
    for (let seed = 1; seed <= 6_000; seed++) {
      const { violation } = await runFactsSchedule(seed, variant, false)
      if (violation?.name === 'Violation') return
      expect(violation).toBeNull()
    }
    expect.unreachable(`${variant.name} went unnoticed`)
  })
})

describe('the rate of a key in a simulated cluster', () => {
  it('is literal, whichever nodes its requests come through', { timeout: 300_000 }, async () => {
    for (let seed = firstSeed; seed < firstSeed + 100; seed++) {
      const { violation } = await runRatesSchedule(seed, ratesAsBuilt, false)
      expect(violation, `seed ${seed}`).toBeNull()
    }
  })

  it.each(brokenRatesVariants)('notices what $name gets wrong', { timeout: 600_000 }, async (variant) => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const { violation } = await runRatesSchedule(seed, variant, false)
      if (violation?.name === 'Violation') return
      expect(violation).toBeNull()
    }
    expect.unreachable(`${variant.name} went unnoticed`)
  })

  it('does the same for the same seed', async () => {
    const [one, other] = [
      await runRatesSchedule(7, ratesAsBuilt, true),
      await runRatesSchedule(7, ratesAsBuilt, true),
    ]
    expect(one.trace).toEqual(other.trace)
  })
})
