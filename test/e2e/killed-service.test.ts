import { expect, it } from 'vitest'
import { runFlowCampaign } from '../../tools/flow-campaign/campaign.ts'
import { embeddedPlace } from '../../tools/flow-campaign/places.ts'

it('a service that is killed again and again ends every flow of a real wallet as if nothing had been', async () => {
  const seed = Date.now() % 1_000_000
  const place = await embeddedPlace()
  try {
    const options = { flows: 4, kills: 3, atOnce: 4, phoneProcesses: 2, seed }
    // A repeated call waits until the killed one can't be under way any more, which is a multiple of this.
    const settings = { ...place.settings, VOUCHSAFE_ASK_TIMEOUT_MS: '3000' }
    const report = await runFlowCampaign({ ...place, settings }, options, () => undefined)
    expect(report.problems, `seed ${seed}`).toEqual([])
    expect(report).toMatchObject({ flows: 4, kills: 3, events: 40 })
  } finally {
    await place.close()
  }
}, 480_000)
