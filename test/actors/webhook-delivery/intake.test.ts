import { describe, expect, it } from 'vitest'
import { refuse } from '../../../src/domain/decider.ts'
import { shardOf } from '../../../src/domain/references.ts'
import { deliveryOf, webhookIntake } from '../../../src/actors/webhook-delivery/intake.ts'
import { record, records } from '../../contract/stream/stream-suite.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const tenant = 'ten_7faaaaaaaa'
const endpoint = 'whk_7faaaaaaaa'

const world = () => {
  const asked: { readonly members: unknown; readonly options: unknown }[] = []
  const state = { fails: false, running: 0, most: 0 }
  const actors = actorsThat({
    askAtomically: async (members: unknown, options: unknown) => {
      state.most = Math.max(state.most, ++state.running)
      await new Promise((resolve) => setImmediate(resolve))
      state.running--
      if (state.fails) throw new Error('away')
      asked.push({ members, options })
      return refuse('not_found', 'The endpoint does not want events of this type.')
    },
  })
  return { asked, state, intake: webhookIntake({ actors, now: () => 5, atOnceMax: 4 }) }
}

describe('the intake of webhooks', () => {
  it('asks the endpoint and creates the delivery in one whole, under the id of the event', async () => {
    const { asked, intake } = world()
    const { event, place } = record(tenant, 2)
    await intake([{ event, place }])
    const { tenant: _, ...told } = event
    expect(asked).toEqual([
      {
        members: [
          { to: endpoint, command: { type: 'RequireEventWanted', eventType: event.type } },
          {
            to: deliveryOf(endpoint, event.id),
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
    await expect(intake(records(tenant, 3))).rejects.toThrow('away')
  })

  it('takes in a bounded number side by side', async () => {
    const { asked, state, intake } = world()
    await intake(records(tenant, 30))
    expect(asked).toHaveLength(30)
    expect(state.most).toBe(4)
  })
})

describe('the id of a delivery', () => {
  it('is the same for the same event and endpoint, on the shard of the endpoint', () => {
    expect(deliveryOf(endpoint, 'evt_1')).toBe(deliveryOf(endpoint, 'evt_1'))
    expect(deliveryOf(endpoint, 'evt_1')).not.toBe(deliveryOf(endpoint, 'evt_2'))
    expect(shardOf(deliveryOf(endpoint, 'evt_1'))).toBe(0x7f)
    expect(() => deliveryOf('no id', 'evt_1')).toThrow(RangeError)
  })
})
