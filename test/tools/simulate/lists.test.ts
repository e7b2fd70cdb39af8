import { describe, expect, it } from 'vitest'
import { atLength } from '../../at-length.ts'
import { brokenListsVariants, listsAsBuilt } from '../../../tools/simulate/lists/lists-variants.ts'
import { runListsSchedule } from '../../../tools/simulate/lists/lists-world.ts'

/** A different span of seeds every day, so that the short run finds its way through them all. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 1_000
const SCHEDULES = atLength(10, 25)

describe('lists of a simulated cluster', () => {
  it('have what was committed, nothing that was erased, and are the same in the end', {
    timeout: 600_000,
  }, async () => {
    for (let seed = firstSeed; seed < firstSeed + SCHEDULES; seed++) {
      const { violation } = await runListsSchedule(seed, listsAsBuilt, false)
      expect(violation, `seed ${seed}`).toBeNull()
    }
  })

  it.each(brokenListsVariants)('notice what $name gets wrong', { timeout: 600_000 }, async (variant) => {
    for (let seed = 1; seed <= 200; seed++) {
      const { violation } = await runListsSchedule(seed, variant, false)
      if (violation?.name === 'Violation') return
      expect(violation).toBeNull()
    }
    expect.unreachable(`${variant.name} went unnoticed`)
  })

  it('does the same for the same seed', async () => {
    const [one, other] = [
      await runListsSchedule(7, listsAsBuilt, true),
      await runListsSchedule(7, listsAsBuilt, true),
    ]
    expect(one.trace).toEqual(other.trace)
  })
})
