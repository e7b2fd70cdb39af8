import { describe, expect, it } from 'vitest'
import { kill } from '../../tools/campaign/journal/kill.ts'

describe('a service process that is killed under load', () => {
  it('loses nothing it acknowledged, does nothing twice and forgets nothing it owes', async () => {
    const seed = Date.now() % 1_000_000
    const report = await kill.run(
      {
        engine: 'sqlite',
        kills: 6,
        freezes: 0,
        'server-kills': 0,
        servers: 1,
        askers: 16,
        nodes: 1,
        shards: 4,
        'clock-offset-minutes': 0,
        seed,
      },
      () => {},
    )
    expect(report.problems, `seed ${seed}`).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(100)
    expect(report.audit.epochs).toBeGreaterThan(4 * 6)
  })
})
