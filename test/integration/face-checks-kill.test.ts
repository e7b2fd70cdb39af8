import { describe, expect, it } from 'vitest'
import { faces } from '../../tools/campaign/faces/campaign.ts'

describe('face checks while the service is killed', () => {
  it('are decided once and rightly, cost an attempt for each capture, and leave nothing at a vendor', async () => {
    const seed = Date.now() % 1_000_000
    const report = await faces.run({ checks: 12, kills: 4, phones: 3, processes: 1, seed }, () => undefined)
    expect(report.problems, `seed ${seed}`).toEqual([])
    expect(report).toMatchObject({ checks: 12, kills: 4 })
    expect(report.attempts).toBeGreaterThan(8)
  }, 480_000)
})
