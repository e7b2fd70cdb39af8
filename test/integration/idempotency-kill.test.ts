import { describe, expect, it } from 'vitest'
import { atLength } from '../at-length.ts'
import { idempotency } from '../../tools/campaign/idempotency/campaign.ts'

const KEYS = atLength(10, 24)
const CALLERS = 20
const KILLS = atLength(1, 2)

const campaign = (kills: number) => {
  const options = { keys: KEYS, callers: CALLERS, 'keys-at-once': 4, kills, seed: Date.now() % 1_000_000 }
  return idempotency.run(options, () => undefined)
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
    const { commands, problems } = await campaign(KILLS)
    expect(problems).toEqual([])
    for (const report of Object.values(commands))
      expect(report).toMatchObject({ effects: KEYS, kills: KILLS })
  }, 240_000)
})
