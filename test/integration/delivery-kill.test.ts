import { expect, it } from 'vitest'
import { deliveries } from '../../tools/campaign/deliveries/campaign.ts'

it('webhooks to a flaky receiver are delivered or dead as scheduled while the service is killed', async () => {
  const seed = Date.now() % 1_000_000
  const report = await deliveries.run({ events: 240, kills: 5, seed }, () => undefined)
  expect(report.problems, `seed ${seed}`).toEqual([])
  expect(report.kills).toBeGreaterThanOrEqual(5)
  expect(report.events).toBeGreaterThanOrEqual(160)
  expect(report.dead).toBeGreaterThan(0)
}, 900_000)
