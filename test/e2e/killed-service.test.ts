import { expect, it } from 'vitest'
import { runFlowCampaign } from '../../tools/campaign/flows/campaign.ts'
import { onPlace } from '../../tools/harness/place.ts'

it('a service that is killed again and again ends every flow of a real wallet as if nothing had been', async () => {
  const options = { flows: 4, kills: 3, 'at-once': 4, phones: 2, seed: Date.now() % 1_000_000 }
  const report = await onPlace(
    async (place) => {
      await place.addLedger()
      // A repeated call waits until the killed one can't be under way any more, which is a multiple of this.
      place.settings['VOUCHSAFE_ASK_TIMEOUT_MS'] = '3000'
    },
    (place) => runFlowCampaign(place, options, () => undefined),
  )
  expect(report.problems, `seed ${options.seed}`).toEqual([])
  expect(report).toMatchObject({ flows: 4, kills: 3, events: 40 })
}, 480_000)
