import { describe, expect, it } from 'vitest'
import { removeWebhookEndpoint } from '../../../src/actors/webhook-endpoint/commands.ts'
import { resendDeliveries } from '../../../src/actors/webhook-endpoint/resend.ts'
import { endpointOf, type Resending } from '../../../src/actors/webhook-endpoint/rules.ts'
import { rowStates } from '../../../src/actors/webhook-delivery/listed.ts'
import { ComesAgain } from '../../../src/host/effects/not-begun.ts'
import { ActorFailed, AskFailed } from '../../../src/ports/actors.ts'
import type { DirectoryRow, ListQuery } from '../../../src/ports/directory.ts'
import { row } from '../../directory/directory-rows.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { tenant, webhookWorld } from '../webhook-world.ts'

const patience = { timeout: 60_000 }

/** Newest first, as lists have them. */
const rowsOf = (count: number, createdAtMs: (index: number) => number): readonly DirectoryRow[] =>
  Array.from({ length: count }, (_, index) =>
    row(`whd_00aaaaaa${index}`, { createdAtMs: createdAtMs(index) }),
  ).toSorted((left, right) => right.createdAtMs - left.createdAtMs)

const eventTypes = ['credential.state_changed', 'webhook.test']

type Standing = {
  readonly unreadable?: string
  /** Whether a delivery that was told leaves the lists. */
  readonly leave?: true
  /** What is asked fails so often at first. */
  readonly busy?: number
}

/** Lists that stay as they are, and actors that note what they are asked. */
const standing = (given: readonly DirectoryRow[], { unreadable, leave, busy = 0 }: Standing = {}) => {
  let all = given
  let failures = busy
  const asked: string[] = []
  const reached: number[] = []
  const ids = new Set<string>()
  const queries: ListQuery[] = []
  const endpoint = { isSet: true }
  const actors = actorsThat({
    read: async () =>
      endpoint.isSet ? { resendings: [{ id: 'order' }] } : { refused: 'not_found', reason: 'none is set' },
    ask: async (
      to: string,
      command: { readonly toMs?: number },
      { commandId }: { readonly commandId: string },
    ) => {
      if (to === unreadable) throw new ActorFailed(to)
      if (failures-- > 0) throw new AskFailed('overloaded', 'too much at once', 1)
      if (to === endpointOf(tenant)) return void reached.push(command.toMs ?? 0)
      ids.add(commandId)
      asked.push(to)
      if (leave === true) all = all.filter(({ id }) => id !== to)
      return {}
    },
  })
  const list = async (query: ListQuery) => {
    queries.push(query)
    const { fromMs, toMs, page, pageSize } = query
    const found = all.filter(
      ({ createdAtMs }) => createdAtMs >= (fromMs ?? 0) && createdAtMs < (toMs ?? Number.POSITIVE_INFINITY),
    )
    return { rows: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
  }
  // Another node's lists may have less.
  const behind = async () => ({ rows: [], total: 0 })
  const lists = { list: behind, listHere: list, caughtUpWith: () => Promise.resolve() }
  const run = (resending: Partial<Resending> = {}) => {
    const order = { id: 'order', status: 'dead' as const, fromMs: null, toMs: null, ...resending }
    const effect = { id: 'x', kind: 'resend-deliveries', tenant, resending: order } as const
    const context = { actor: endpointOf(tenant), signal: new AbortController().signal }
    const newId = () => String(ids.size)
    const runtime = { now: () => 7, newId, sleep: () => Promise.resolve() } as never
    return resendDeliveries({ actors, runtime, lists, eventTypes }, effect, context)
  }
  return { run, asked, reached, ids, queries, endpoint }
}

describe('deliveries that are sent again', () => {
  it('are all those of the status and the span of time, whatever pages they stand on', async () => {
    const { run, asked, queries } = standing(rowsOf(1_300, (index) => index))
    expect(await run({ fromMs: 100, toMs: 1_200 })).toEqual({
      type: 'RecordDeliveriesResent',
      atMs: 7,
      id: 'order',
    })
    expect(new Set(asked).size).toBe(1_100)
    const states = rowStates(['dead'], eventTypes)
    expect(queries[0]).toMatchObject({ tenant, states, filters: {}, fromMs: 100, toMs: 1_200 })
  })

  it('are all of them where many came to be in one moment, and each takes the order once', async () => {
    const { run, asked, ids } = standing(rowsOf(1_300, (index) => (index < 1_200 ? 5 : index)))
    await run()
    expect(new Set(asked).size).toBe(1_300)
    expect(ids.size).toBe(1_300)
  })

  it('are the others where one cannot be read', async () => {
    const { run, asked } = standing(
      rowsOf(3, (index) => index),
      { unreadable: 'whd_00aaaaaa1' },
    )
    await run()
    expect(asked.toSorted()).toEqual(['whd_00aaaaaa0', 'whd_00aaaaaa2'])
  })

  it.each([
    ['each of its own moment', (index: number) => index],
    ['more than a page of one moment', (index: number) => (index < 1_200 ? 5 : index)],
  ])('are all of them although those that were told leave the list: %s', async (_what, createdAtMs) => {
    const { run, asked } = standing(rowsOf(1_300, createdAtMs), { leave: true })
    await run()
    expect([asked.length, new Set(asked).size]).toEqual([1_300, 1_300])
  })

  it('are told from where the order noted last that it is', async () => {
    const { run, reached, asked } = standing(rowsOf(12_000, (index) => index))
    await run()
    // Each page begins with the last moment of the one before.
    expect(reached).toEqual([7_010, 2_020])
    asked.length = 0
    await run({ toMs: 2_020 })
    expect(new Set(asked).size).toBe(2_020)
  })

  it('go on where a shard is busy for a moment', async () => {
    const { run, asked } = standing(
      rowsOf(3, (index) => index),
      { busy: 4 },
    )
    await run()
    expect(asked).toHaveLength(3)
  })

  it('wait again where the endpoint was removed meanwhile, and their order is not over when one is set at that moment', async () => {
    const { run, asked, endpoint } = standing(rowsOf(1_300, (index) => index))
    endpoint.isSet = false
    await expect(run()).rejects.toBeInstanceOf(ComesAgain)
    expect(asked).toEqual([])
    endpoint.isSet = true
    expect(await run()).toMatchObject({ type: 'RecordDeliveriesResent' })
    expect(new Set(asked).size).toBe(1_300)
  })

  it('are told however often they were held in one moment, and looked for until none is left', async () => {
    const { run, queries, ids } = standing(rowsOf(3, (index) => index))
    await run({ status: 'held' })
    expect(queries[0]).toMatchObject({ states: rowStates(['held'], eventTypes), filters: {} })
    expect([queries.length, ids.size]).toEqual([3, 9])
    const left = standing(
      rowsOf(3, (index) => index),
      { leave: true },
    )
    await left.run({ status: 'held' })
    expect([left.queries.length, left.ids.size]).toEqual([2, 3])
  })

  it('go out again when they are dead, and those that were held when there is an endpoint again', async () => {
    await using world = await webhookWorld()
    await using receiver = await startReceiver((_arrived, response) => void response.writeHead(500).end())
    await world.set(receiver.url)
    const all = Array.from({ length: 20 }, (_, index) => index)
    await Promise.all(all.map((index) => world.tell(index)))
    const deliveries = () => Promise.all(all.map((index) => world.delivery(index)))
    const statuses = async () => [...new Set((await deliveries()).map(({ status }) => status))]
    for (let attempt = 1; attempt <= 12; attempt++) {
      const attempts = async () => [...new Set((await deliveries()).map((each) => each.attempts))]
      await expect.poll(attempts, patience).toEqual([attempt])
      if (attempt < 12) world.runtime.forward(3_600_000)
    }
    expect(await statuses()).toEqual(['dead'])
    receiver.behaviour.answer = (_arrived, response) => void response.end()
    const order = {
      type: 'ResendDeliveries',
      atMs: world.runtime.now(),
      id: 'order',
      status: 'dead',
      fromMs: null,
      toMs: world.runtime.now(),
    } as const
    await world.actors.ask(endpointOf(tenant), order, { commandId: 'order', tenant })
    await expect.poll(statuses, patience).toEqual(['delivered'])
    const resendings = async () => {
      const found = await world.actors.read(endpointOf(tenant))
      return 'resendings' in found ? found.resendings : null
    }
    await expect.poll(resendings, patience).toEqual([])

    receiver.behaviour.answer = (_arrived, response) => void response.writeHead(500).end()
    await world.tell(20)
    await expect.poll(async () => (await world.delivery(20)).attempts, patience).toBe(1)
    await removeWebhookEndpoint(world.ports, tenant)
    world.runtime.forward(5_000)
    await expect.poll(async () => world.delivery(20), patience).toMatchObject({ isHeld: true })
    receiver.behaviour.answer = (_arrived, response) => void response.end()
    // The order to send what was held survives as any other.
    await world.set(receiver.url)
    await world.crash()
    await expect.poll(async () => (await world.delivery(20)).status, patience).toBe('delivered')
  }, 120_000)
})
