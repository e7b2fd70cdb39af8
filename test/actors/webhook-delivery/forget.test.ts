import { describe, expect, it } from 'vitest'
import { forgetDeliveries } from '../../../src/actors/webhook-delivery/forget.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { tenant, webhookWorld } from '../webhook-world.ts'

const patience = { timeout: 60_000 }

describe('the deliveries of a record whose time is over', () => {
  it('lose what they said, and the same event again is not delivered', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver()
    await world.set(receiver.url)
    // The first and the third event of the record; the second was not wanted.
    for (const index of [0, 1]) {
      await world.tell(index)
      await expect.poll(async () => (await world.delivery(index)).status, patience).toBe('delivered')
    }
    expect(await forgetDeliveries(world, tenant, tenant, 3)).toBe(true)
    for (const index of [0, 1]) {
      await world.tell(index)
      const { status, event, attemptLog } = await world.delivery(index)
      expect({ status, attemptLog, ...event }).toMatchObject({
        status: 'forgotten',
        attemptLog: [],
        data: {},
        sealed: null,
      })
    }
    expect(receiver.arrived).toHaveLength(2)
    expect(await forgetDeliveries(world, tenant, tenant, 3)).toBe(true)
  })

  it('wait for one that is still pending', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver((_arrived, response) => void response.writeHead(503).end())
    await world.set(receiver.url)
    await world.tell(0)
    await expect.poll(async () => (await world.delivery(0)).attempts, patience).toBe(1)
    expect(await forgetDeliveries(world, tenant, tenant, 1)).toBe(false)
    expect((await world.delivery(0)).status).toBe('pending')
  })
})
