import { expect, it } from 'vitest'
import { offers } from '../../tools/campaign/offers/campaign.ts'

it('a thousand offers in one request are a thousand exchanges, however often it comes and the service dies', async () => {
  const options = { items: 1_000, kills: 3, repeats: 1, seed: Date.now() % 1_000_000 }
  const report = await offers.run(options, () => undefined)
  expect(report.problems, `seed ${options.seed}`).toEqual([])
  expect(report).toMatchObject({ exchanges: 1_000, kills: 3 })
}, 480_000)
