import { describe, expect, it } from 'vitest'
import { asBuilt } from '../../../tools/simulate/variants.ts'
import { worlds } from '../../../tools/simulate/worlds.ts'

/** A different span of seeds every day, so that the short run finds its way through them all. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 1_000
/** The schedules of the map last longer. */
const schedules = { log: 300, map: 100 }

describe.each(worlds)('the simulated world of the $name', ({ name, variants }) => {
  const run = variants.get(asBuilt.name)
  const broken = [...variants].filter(([variant]) => variant !== asBuilt.name)

  it('keeps every rule in schedules of faults', { timeout: 240_000 }, async () => {
    for (let seed = firstSeed; seed < firstSeed + schedules[name]; seed++) {
      const played = await run?.(seed, false)
      expect(played?.violation, `replay: npm run simulate -- --world ${name} --seed ${seed}`).toBeNull()
    }
  })

  it('does the same for the same seed', { timeout: 60_000 }, async () => {
    for (const seed of [3, firstSeed]) {
      const [one, other] = [await run?.(seed, true), await run?.(seed, true)]
      expect(one?.trace?.length).toBeGreaterThan(100)
      expect(one?.trace).toEqual(other?.trace)
    }
  })

  it.each(broken)('notices what %s gets wrong', { timeout: 120_000 }, async (variant, runBroken) => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const { violation } = await runBroken(seed, false)
      if (violation?.name === 'Violation') return
      expect(violation).toBeNull()
    }
    expect.unreachable(`${variant} went unnoticed`)
  })
})
