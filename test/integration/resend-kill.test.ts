import { expect, it } from 'vitest'
import { atLength } from '../at-length.ts'
import { resend } from '../../tools/campaign/resend/campaign.ts'

it('what is sent again by one order is sent once more, whenever the service is killed meanwhile', async () => {
  const options = { deliveries: atLength(1_200, 3_000), kills: 2, seed: Date.now() % 1_000_000 }
  const report = await resend.run(options, () => undefined)
  expect(report.problems, `seed ${options.seed}`).toEqual([])
}, 480_000)
