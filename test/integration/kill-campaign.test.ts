import { describe, expect, it } from 'vitest'
import { runKillCampaign } from '../../tools/campaign/kill-campaign.ts'
import { sqlitePlace } from '../../tools/campaign/places.ts'

describe('a service process that is killed under load', () => {
  it('loses nothing it acknowledged, does nothing twice and forgets nothing it owes', async () => {
    const place = sqlitePlace()
    const seed = Date.now() % 1_000_000
    try {
      const report = await runKillCampaign(
        place,
        {
          kills: 3,
          freezes: 0,
          serverKills: 0,
          askers: 16,
          nodes: 1,
          shardCount: 4,
          clockOffsetMs: 0,
          seed,
        },
        () => {},
      )
      expect(report.problems, `seed ${seed}`).toEqual([])
      expect(report.acknowledged).toBeGreaterThan(100)
      expect(report.audit.epochs).toBeGreaterThan(4 * 3)
    } finally {
      await place[Symbol.asyncDispose]()
    }
  })
})
