import { describe, expect, it } from 'vitest'
import { seedFrom } from '../../../tools/simulate/random.ts'
import { simulateLinks } from './parts/simulated-links.ts'

const SCHEDULES = 200

describe('links in virtual time', () => {
  it('begin each request at most once, end it exactly once, and are whole again after every fault', async () => {
    const first = seedFrom(process.env['SEED'])
    const total = { answered: 0, failed: 0, notSent: 0 }
    for (let seed = first; seed < first + SCHEDULES; seed++) {
      const outcome = await simulateLinks(seed).catch((error: unknown) => {
        throw new Error(`SEED=${seed}`, { cause: error })
      })
      total.answered += outcome.answered
      total.failed += outcome.failed
      total.notSent += outcome.notSent
    }
    expect(Math.min(total.answered, total.failed, total.notSent)).toBeGreaterThan(SCHEDULES)
  })

  it('would be caught beginning requests twice if they did not count batches', async () => {
    const seeds = Array.from({ length: 60 }, (_, seed) => seed)
    const caught: string[] = []
    for (const seed of seeds)
      await simulateLinks(seed, true).catch((error: Error) => caught.push(error.message))
    expect(caught).toContain('a request was begun twice')
  })
})
