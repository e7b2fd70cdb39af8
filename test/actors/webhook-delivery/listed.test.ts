import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '../../../src/actors/index.ts'
import type { ApiPorts } from '../../../src/actors/kind-ports.ts'
import { publishedEventsOf } from '../../../src/actors/published-events.ts'
import { webhookDeliveryKind } from '../../../src/actors/webhook-delivery/index.ts'
import { DELIVERY_STATUSES, rowStates } from '../../../src/actors/webhook-delivery/listed.ts'
import { deliveryRoutes } from '../../../src/actors/webhook-delivery/routes.ts'
import { type Delivery, webhookDelivery } from '../../../src/actors/webhook-delivery/rules.ts'
import { endpointOf } from '../../../src/actors/webhook-endpoint/rules.ts'
import { SqliteDirectory } from '../../../src/directory/sqlite-directory.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { called } from '../../compose/called-route.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const tenant = 'ten_00aaaaaaaa'
const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)
const seed = Math.floor(Math.random() * 1_000_000)
const random = new Random(seed)
/** One is the beginning of another, and one its end. */
const RECORDS = ['cre_00aaaaaaaa', 'cre_00aaaaaaaab', 're_00aaaaaaaa', 'wal_07bbbbbbbb', 'con_ffcccccccc']
const COUNT = 300

const states = ['pending', 'held', 'delivered', 'dead', 'forgotten'] as const
const made = new Map<string, Delivery>()

const deliveryIn = (state: (typeof states)[number], createdAtMs: number): Delivery => {
  const recordId = random.pick(RECORDS)
  const facts = {
    tenant,
    endpoint: endpointOf(tenant),
    event: {
      id: `evt_${recordId}_${createdAtMs}`,
      type: random.pick(eventTypes),
      createdAtMs,
      recordType: recordId.startsWith('wal') ? 'wallet' : 'credential',
      recordId,
      data: {},
      sealed: null,
    },
    attempts: 0,
    attemptsBefore: 0,
    attemptLog: [],
    createdAtMs,
    updatedAtMs: createdAtMs,
  }
  if (state === 'held') return { ...facts, status: 'pending', nextAttemptAtMs: 1, due: false, isHeld: true }
  if (state === 'pending') return { ...facts, status: 'pending', nextAttemptAtMs: 1, due: true }
  return { ...facts, status: state }
}

const actors = actorsThat({
  read: (id: string) => made.get(id) ?? refuse('not_found', 'There is none.'),
})
let directory: SqliteDirectory

const list = async (query: object) => {
  const routes = deliveryRoutes({ actors, directory, eventTypes } as unknown as ApiPorts)
  const caller = { kind: 'api_key', tenantId: tenant, keyId: 'k' } as const
  const head = { path: '/v1/webhook/deliveries', query: '' }
  const found = await called(routes, 'listWebhookDeliveries', { caller, head, query } as never)
  const { items, total } = found as { items: readonly { id: string }[]; total: number }
  return { ids: items.map(({ id }) => id), total }
}

beforeAll(async () => {
  directory = new SqliteDirectory(':memory:')
  for (let index = 0; index < COUNT; index++) {
    const id = webhookDelivery.newRef(0, String(index).padStart(12, '0'))
    // Each is written twice, as it is when it was pending for long.
    for (const state of ['pending', random.pick(states)] as const) {
      made.set(id, deliveryIn(state, 1_000_000 + 1_000 * index))
      const rows = await webhookDeliveryKind.rowsOf(actors, id)
      directory.write(0, rows, { no: index + 1, index: 0 })
    }
  }
})
afterAll(() => directory[Symbol.dispose]())

const shownAs = (delivery: Delivery): string => delivery.status

describe('the list of deliveries', () => {
  it('tells each status and type of event apart in one word', () => {
    const words = rowStates(['pending', 'held', 'delivered', 'dead', 'forgotten'], eventTypes)
    expect(new Set(words).size).toBe(5 * eventTypes.length)
    for (const word of words) expect(word.length).toBeLessThan(9)
  })

  it('finds by any filters together what looking at all of them finds, newest first, with the exact total', async () => {
    const choices = {
      status: [null, ...DELIVERY_STATUSES],
      eventType: [null, null, ...eventTypes],
      recordId: [null, null, ...RECORDS, 'cre_00aaaaaaa', 'nothing', 'CRE_00AAAAAAAA'],
      q: [null, null, '00AAAA', 'cre', 'zz', '_'],
      from: [null, null, '1970-01-01T00:17:30Z'],
      to: [null, null, '1970-01-01T00:21:00Z'],
    }
    for (let round = 0; round < 400; round++) {
      const drawn = Object.entries(choices).map(([name, values]) => [name, random.pick(values)] as const)
      const query = Object.fromEntries(drawn.filter(([, value]) => value !== null)) as Record<string, string>
      const { status, eventType, recordId, q, from, to } = query
      const expected = [...made]
        .filter(([, each]) => each.status !== 'forgotten')
        .filter(([, each]) => status === undefined || shownAs(each) === status)
        .filter(([, { event }]) => eventType === undefined || event.type === eventType)
        .filter(([, { event }]) => recordId === undefined || event.recordId === recordId)
        .filter(([, { event }]) => q === undefined || event.recordId.includes(q.toLowerCase()))
        .filter(([, { createdAtMs }]) => from === undefined || createdAtMs >= Date.parse(from))
        .filter(([, { createdAtMs }]) => to === undefined || createdAtMs < Date.parse(to))
        .toSorted(([, left], [, right]) => right.createdAtMs - left.createdAtMs)
        .map(([id]) => id)
      const context = `seed ${seed}: ${JSON.stringify(query)}`
      expect(await list(query), context).toEqual({ ids: expected.slice(0, 25), total: expected.length })
      const second = await list({ ...query, page: 2 })
      expect(second.ids, context).toEqual(expected.slice(25, 50))
    }
  })

  it('has none that went whole before the lists, which were behind, could see that it was forgotten', async () => {
    const [id = ''] = [...made].find(([, { status }]) => status === 'delivered') ?? []
    const { total } = await list({})
    made.delete(id)
    directory.write(0, await webhookDeliveryKind.rowsOf(actors, id), { no: COUNT + 1, index: 0 })
    expect((await list({})).total).toBe(total - 1)
  })

  it('has a time of its own for the erasure of a connection, which may have been swept before', async () => {
    const timeOf = async (recordType: string, type: string) => {
      const id = webhookDelivery.newRef(0, 'erased00aaaa')
      const delivery = deliveryIn('delivered', 1_000_000)
      const read = () => ({ ...delivery, event: { ...delivery.event, recordType, type } })
      const [row] = await webhookDeliveryKind.rowsOf(actorsThat({ read }), id)
      return row?.finishedAtMs
    }
    expect(await timeOf('connection', 'record.erased')).toBe(1_000_000)
    expect(await timeOf('connection', 'connection.state_changed')).toBeNull()
    expect(await timeOf('credential', 'record.erased')).toBeNull()
  })

  it('has a time of its own for what no sweep goes through, also where it is held', async () => {
    const waiting = directory.finishedBefore({
      shard: 0,
      tenant,
      beforeMs: Number.MAX_SAFE_INTEGER,
      erasedOnly: false,
      after: null,
      limit: COUNT,
    })
    const expected = [...made].filter(([, each]) => {
      const isOver = each.status === 'delivered' || each.status === 'dead'
      const isHeld = each.status === 'pending' && each.isHeld === true
      return each.event.recordType === 'wallet' && (isOver || isHeld)
    })
    expect(new Set(waiting.map(({ id }) => id))).toEqual(new Set(expected.map(([id]) => id)))
  })
})
