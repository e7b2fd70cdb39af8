import { describe, expect, it } from 'vitest'
import { atLength } from '../../at-length.ts'
import { AS_BUILT, worlds } from '../../../tools/simulate/worlds.ts'

/** A different span of seeds every day, so that the short run finds its way through them all. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 1_000
/** Others than the log last longer. */
const SCHEDULES: Readonly<Record<string, number>> = { log: atLength(120, 300) }
const SCHEDULES_OF_OTHERS = atLength(40, 100)

/** What is rarely met is looked for from shortly before where it was met last; where that has moved, the search is longer. */
const RARE: Readonly<Record<string, number>> = {
  'takes-at-once-from-a-hung-node': 280,
  'lets-go-for-a-frozen-node': 40,
  'forgets-what-was-erased': 150,
}

/** Each has a test of its own besides. */
const elsewhere = ['asks', 'copies', 'rates']

describe.each(Object.entries(worlds).filter(([name]) => !elsewhere.includes(name)))(
  'the simulated world of the %s',
  (name, world) => {
    const run = async (seed: number, variant: string, isTraced: boolean) => {
      const played = await world.run(seed, variant, isTraced)
      if (played === null) throw new Error(`there is no variant ${variant}`)
      return played
    }

    it('keeps every rule in schedules of faults', { timeout: 240_000 }, async () => {
      const endSeed = firstSeed + (SCHEDULES[name] ?? SCHEDULES_OF_OTHERS)
      for (let seed = firstSeed; seed < endSeed; seed++) {
        const { violation } = await run(seed, AS_BUILT, false)
        expect(violation, `replay: npm run simulate -- --world ${name} --seed ${seed}`).toBeNull()
      }
    })

    it('does the same for the same seed', { timeout: 60_000 }, async () => {
      for (const seed of [3, firstSeed]) {
        const [one, other] = [await run(seed, AS_BUILT, true), await run(seed, AS_BUILT, true)]
        expect(one.trace?.length).toBeGreaterThan(100)
        expect(one.trace).toEqual(other.trace)
      }
    })

    it.each(world.variants)('notices what %s gets wrong', { timeout: 300_000 }, async (variant) => {
      const from = RARE[variant] ?? 1
      for (let seed = from; seed < from + 3_000; seed++) {
        const { violation } = await run(seed, variant, false)
        if (violation?.name === 'Violation') return
        expect(violation).toBeNull()
      }
      expect.unreachable(`${variant} went unnoticed`)
    })
  },
)
