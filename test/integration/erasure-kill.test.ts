import { describe, expect, it } from 'vitest'
import { erasures } from '../../tools/campaign/erasures/campaign.ts'

const ENDS = ['done', 'declined', 'abandoned']

describe('erasures and sweeps while the service is killed', () => {
  it('are complete or as if nobody had asked, each heard of once, and touch no neighbour', async () => {
    const seed = Date.now() % 1_000_000
    const report = await erasures.run(
      {
        engine: 'embedded',
        exchanges: 60,
        connections: 1,
        'of-a-connection': 120,
        kills: 4,
        flows: 2,
        'at-once': 2,
        seed,
      },
      () => undefined,
    )
    expect(report.problems, `seed ${seed}`).toEqual([])
    expect(report).toMatchObject({ kills: 4, holders: 2 })
    expect(report.erased).toBeGreaterThan(150)
    expect(report.swept).toBeGreaterThan(10)
    const ends = [...ENDS.map((end) => `cre ${end}`), ...ENDS.map((end) => `pro ${end}`)]
    expect(Object.keys(report.states)).toEqual(expect.arrayContaining(ends))
  }, 480_000)
})
