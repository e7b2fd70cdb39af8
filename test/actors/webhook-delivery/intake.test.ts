import { describe, expect, it } from 'vitest'
import { refuse } from '../../../src/domain/decider.ts'
import { shardOf } from '../../../src/domain/references.ts'
import { deliveryOf, parkUnreadable, webhookIntake } from '../../../src/actors/webhook-delivery/intake.ts'
import { record, records } from '../../contract/stream/stream-suite.ts'
import { ActorFailed, AskFailed } from '../../../src/ports/actors.ts'
import { MemoryParking } from '../../host/parts/memory-parking.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const tenant = 'ten_7faaaaaaaa'
const endpoint = 'whk_7faaaaaaaa'

const world = () => {
  const asked: { readonly members: unknown; readonly options: unknown }[] = []
  const state = { fails: false, running: 0, most: 0, unreadable: null as string | null }
  const actors = actorsThat({
    askAtomically: async (members: unknown, options: unknown) => {
      state.most = Math.max(state.most, ++state.running)
      await new Promise((resolve) => setImmediate(resolve))
      state.running--
      if (state.fails) throw new AskFailed('unavailable', 'away', 1)
      if (state.unreadable !== null) throw new ActorFailed(state.unreadable, {})
      asked.push({ members, options })
      return refuse('not_found', 'The endpoint does not want events of this type.')
    },
  })
  const parking = new MemoryParking()
  return { asked, state, parking, intake: webhookIntake({ actors, now: () => 5, parking, atOnceMax: 4 }) }
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
        options: { commandId: event.id, tenant, mayLinger: true },
      },
    ])
  })

  it('looks for no delivery of an event that nobody can have seen', async () => {
    const { asked, intake } = world()
    const { event, place } = record(tenant, 2)
    await intake([{ event, place, isFirst: true }])
    const begins = deliveryOf(endpoint, event.id)
    expect(asked.map(({ options }) => options)).toEqual([
      { commandId: event.id, tenant, mayLinger: true, begins },
    ])
  })

  it('asks for no delivery of an event that an endpoint on a shard of its own node does not want', async () => {
    const asked: unknown[] = []
    const settings = { status: 'set', eventTypes: ['connection.state_changed'] as string[] | null }
    const actors = actorsThat({
      read: () => settings,
      askAtomically: async (members: unknown) => void asked.push(members),
    })
    const shards: number[] = []
    const parts = { actors, now: () => 5, parking: new MemoryParking(), atOnceMax: 4 }
    const here = webhookIntake({ ...parts, isHere: (shard) => shards.push(shard) > 0 })
    await here([record(tenant, 1)])
    expect([asked, shards]).toEqual([[], [0x7f]])
    settings.eventTypes = null
    await here([record(tenant, 1)])
    settings.eventTypes = []
    await webhookIntake({ ...parts, isHere: () => false })([record(tenant, 2)])
    expect(asked).toHaveLength(2)
  })

  it('fails as a whole when one event cannot be taken in, so that all come again', async () => {
    const { state, intake } = world()
    state.fails = true
    await expect(intake(records(tenant, 3))).rejects.toThrow('away')
  })

  it('parks an event whose endpoint or delivery cannot be read, by what cannot be, and goes on', async () => {
    const { asked, state, parking, intake } = world()
    state.unreadable = endpoint
    await intake(records(tenant, 1))
    state.unreadable = 'whd_7faaaaaaaa'
    await intake([record(tenant, 1)])
    state.unreadable = null
    await intake([record(tenant, 2)])
    expect(asked).toHaveLength(1)
    expect(parking.parked).toMatchObject([
      { part: 'webhooks', recordId: endpoint, held: [{ id: record(tenant, 0).event.id }] },
      { part: 'webhooks', recordId: 'whd_7faaaaaaaa', held: [{ id: record(tenant, 1).event.id }] },
    ])
  })

  it('parks what nobody can read, as an event of its actor that waits', async () => {
    const { parking } = world()
    const event = {
      id: 'evt_cre_7faaaaaaaa_2',
      type: 't',
      tenant,
      recordId: 'cre_7faaaaaaaa',
      actor: 'cre_7faaaaaaaa',
    }
    await parkUnreadable({ parking })({ event, error: new Error('no event') })
    expect(parking.parked).toMatchObject([
      { part: 'webhooks', recordId: 'cre_7faaaaaaaa', held: [{ id: event.id, actor: event.actor }] },
    ])
  })

  it('takes in a bounded number side by side, whatever shards they come from', async () => {
    const { asked, state, intake } = world()
    await Promise.all([intake(records(tenant, 30)), intake(records(tenant, 30, 30))])
    expect(asked).toHaveLength(60)
    expect(state.most).toBe(4)
  })

  it('takes in what can be taken in before it fails', async () => {
    const { asked, state, intake } = world()
    const page = intake([...records(tenant, 30), ...records('ten_8bbbbbbbbb', 1)])
    state.fails = true
    setImmediate(() => setImmediate(() => (state.fails = false)))
    await expect(page).rejects.toThrow('away')
    expect(asked.length).toBeGreaterThan(20)
  })
})

/** Endpoints that refuse when 256 asks wait for one, and settle so many of each at a time as one batch of a journal holds. */
const crowdedActors = () => {
  const waiting = new Map<string, (() => void)[]>()
  const state = { refused: 0, rounds: 0 }
  const settle = (): void => {
    state.rounds++
    for (const [to, asks] of waiting) {
      for (const done of asks.splice(0, 64)) done()
      if (asks.length === 0) waiting.delete(to)
    }
    if (waiting.size > 0) setImmediate(settle)
  }
  const actors = actorsThat({
    askAtomically: (members: readonly { readonly to: string }[]) => {
      const to = members[0]?.to ?? ''
      const asks = waiting.get(to) ?? []
      if (asks.length >= 256) {
        state.refused++
        return Promise.reject(new Error('overloaded'))
      }
      if (waiting.size === 0) setImmediate(settle)
      waiting.set(to, asks)
      return new Promise((resolve) => asks.push(() => resolve([])))
    },
  })
  return { actors, state }
}

describe('a burst of one organisation over all shards', () => {
  it('is refused nowhere, and the event of another beside it is taken in at once', async () => {
    const { actors, state } = crowdedActors()
    const intake = webhookIntake({ actors, now: () => 5, parking: new MemoryParking(), atOnceMax: 64 })
    const pages = Array.from({ length: 256 }, (_, shard) => intake(records(tenant, 40, shard * 40)))
    let roundsOfOther = 0
    const other = intake(records('ten_8bbbbbbbbb', 1)).then(() => (roundsOfOther = state.rounds))
    const outcomes = await Promise.allSettled([...pages, other])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(0)
    expect(state.refused).toBe(0)
    expect(roundsOfOther).toBeLessThanOrEqual(2)
    expect(state.rounds).toBeGreaterThanOrEqual((256 * 40) / 64)
  })

  it('holds up a page with a few of its events for a moment, and full pages one after the other', async () => {
    const { actors, state } = crowdedActors()
    const intake = webhookIntake({ actors, now: () => 5, parking: new MemoryParking(), atOnceMax: 64 })
    const pages = Array.from({ length: 256 }, (_, shard) => intake(records(tenant, 256, shard * 256)))
    await intake(records(tenant, 1, 65_536))
    await intake(records('ten_8bbbbbbbbb', 1))
    expect(state.rounds).toBeLessThanOrEqual(10)
    for (const [shard, page] of pages.entries()) {
      await page
      expect(state.rounds).toBeLessThanOrEqual(10 + 4 * (shard + 1))
    }
    expect(state.refused).toBe(0)
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
