import { describe, expect, it } from 'vitest'
import { embeddedPlace } from '../../tools/flow-campaign/places.ts'
import { runIdempotencyCampaign } from '../../tools/idempotency-campaign/campaign.ts'

const KEYS = 24
const CALLERS = 20

const campaign = async (kills: number) => {
  const place = await embeddedPlace()
  try {
    const options = { keys: KEYS, callers: CALLERS, keysAtOnce: 4, kills, seed: Date.now() % 1_000_000 }
    return await runIdempotencyCampaign(place, options, () => undefined)
  } finally {
    await place.close()
  }
}

const NAMES = ['wallets', 'invitations', 'offers', 'proof requests']

describe('simultaneous equal requests for wallets, invitations, offers and proofs', () => {
  it('have one effect for each key; everybody else gets the replay, or hears that it is under way', async () => {
    const { commands, problems } = await campaign(0)
    expect(problems).toEqual([])
    expect(Object.keys(commands)).toEqual(NAMES)
    for (const report of Object.values(commands))
      expect(report).toMatchObject({ created: KEYS, effects: KEYS, unanswered: 0, unavailable: 0 })
  }, 240_000)

  it('have it also when the process is killed among them', async () => {
    const { commands, problems } = await campaign(2)
    expect(problems).toEqual([])
    for (const report of Object.values(commands)) expect(report).toMatchObject({ effects: KEYS, kills: 2 })
  }, 240_000)
})
