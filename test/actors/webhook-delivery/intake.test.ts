import { describe, expect, it } from 'vitest'
import type { Actors, OldAddressed, OldAskOptions } from '../../../src/ports/actors.ts'
import { shardOf } from '../../../src/domain/shards.ts'
import { deliveryId, webhookIntake } from '../../../src/actors/webhook-delivery/intake.ts'
import { record, records } from '../../contract/stream/stream-suite.ts'

const endpoint = 'whk_7faaaaaaaa'

const world = () => {
  const asked: { commands: readonly OldAddressed[]; options: OldAskOptions }[] = []
  const state = { fails: false, running: 0, most: 0 }
  const actors: Pick<Actors, 'askTogether'> = {
    askTogether: async (commands, refused, options) => {
      state.most = Math.max(state.most, ++state.running)
      await new Promise((resolve) => setImmediate(resolve))
      state.running--
      if (state.fails) throw new Error('away')
      expect(refused({ matched: false })).toBe(true)
      expect([refused({ matched: true }), refused({ delivery: {} })]).toEqual([false, false])
      asked.push({ commands, options })
      return []
    },
  }
  const intake = webhookIntake({
    actors,
    now: () => 5,
    endpointOf: () => endpoint,
    askTimeoutMs: 1_000,
    atOnceMax: 4,
  })
  return { asked, state, intake }
}

describe('the intake of webhooks', () => {
  it('asks the endpoint and creates the delivery in one whole, under the id of the event', async () => {
    const { asked, intake } = world()
    const { event, place } = record('ten_a', 2)
    await intake([{ event, place }])
    const { tenant, ...told } = event
    expect(asked).toMatchObject([
      {
        commands: [
          { actor: endpoint, command: { type: 'MatchEvent', eventType: event.type } },
          {
            actor: deliveryId(endpoint, event.id),
            command: { type: 'CreateDelivery', atMs: 5, tenant, endpoint, event: told },
          },
        ],
        options: { commandId: event.id, tenant },
      },
    ])
  })

  it('fails as a whole when one event cannot be taken in, so that all come again', async () => {
    const { state, intake } = world()
    state.fails = true
    await expect(intake(records('ten_a', 3))).rejects.toThrow('away')
  })

  it('takes in a bounded number side by side', async () => {
    const { asked, state, intake } = world()
    await intake(records('ten_a', 30))
    expect(asked).toHaveLength(30)
    expect(state.most).toBe(4)
  })
})

describe('the id of a delivery', () => {
  it('is the same for the same event and endpoint, on the shard of the endpoint', () => {
    expect(deliveryId(endpoint, 'evt_1')).toBe(deliveryId(endpoint, 'evt_1'))
    expect(deliveryId(endpoint, 'evt_1')).not.toBe(deliveryId(endpoint, 'evt_2'))
    expect(shardOf(deliveryId(endpoint, 'evt_1'))).toBe(0x7f)
    expect(() => deliveryId('no id', 'evt_1')).toThrow(RangeError)
  })
})
