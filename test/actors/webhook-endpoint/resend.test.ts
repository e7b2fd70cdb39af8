import { describe, expect, it } from 'vitest'
import { removeWebhookEndpoint } from '../../../src/actors/webhook-endpoint/commands.ts'
import { resendDeliveries } from '../../../src/actors/webhook-endpoint/resend.ts'
import { endpointOf, type Resending } from '../../../src/actors/webhook-endpoint/rules.ts'
import { ActorFailed } from '../../../src/ports/actors.ts'
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

/** Lists that stay as they are, and actors that note what they are asked. */
const standing = (all: readonly DirectoryRow[], unreadable?: string) => {
  const asked: string[] = []
  const ids = new Set<string>()
  const queries: ListQuery[] = []
  const actors = actorsThat({
    ask: async (to: string, _command: unknown, { commandId }: { readonly commandId: string }) => {
      if (to === unreadable) throw new ActorFailed(to)
      ids.add(commandId)
      asked.push(to)
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
  const lists = { list, caughtUpWith: () => Promise.resolve() }
  const run = (resending: Partial<Resending> = {}) => {
    const order = { id: 'order', status: 'dead' as const, fromMs: null, toMs: null, ...resending }
    const effect = { id: 'x', kind: 'resend-deliveries', tenant, resending: order } as const
    const context = { actor: endpointOf(tenant), signal: new AbortController().signal }
    return resendDeliveries({ actors, runtime: { now: () => 7 } as never, lists }, effect, context)
  }
  return { run, asked, ids, queries }
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
    expect(queries[0]).toMatchObject({ tenant, states: ['dead'], fromMs: 100, toMs: 1_200 })
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
      'whd_00aaaaaa1',
    )
    await run()
    expect(asked.toSorted()).toEqual(['whd_00aaaaaa0', 'whd_00aaaaaa2'])
  })

  it('are found by a filter of their own where they were held', async () => {
    const { run, queries } = standing([])
    await run({ status: 'held' })
    expect(queries[0]).toMatchObject({ states: [], filters: { held: 'yes' } })
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
