import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpointLimitDefaults } from '../../src/actors/webhook-delivery/endpoint-limiter.ts'
import { webhookDeliveryKind } from '../../src/actors/webhook-delivery/index.ts'
import { webhookIntake } from '../../src/actors/webhook-delivery/intake.ts'
import { RunningAttempts } from '../../src/actors/webhook-delivery/running-attempts.ts'
import { webhookDelivery } from '../../src/actors/webhook-delivery/rules.ts'
import { setWebhookEndpoint } from '../../src/actors/webhook-endpoint/commands.ts'
import { webhookEndpointKind } from '../../src/actors/webhook-endpoint/index.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { openDurableActors } from '../../src/compose/durable-actors.ts'
import { Projector } from '../../src/directory/projector.ts'
import { DIRECTORY_READER } from '../../src/directory/saved-positions.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { WebhookAnswer } from '../../src/ports/webhook-sender.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { givenPorts } from '../actors/given-ports.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { query } from '../directory/directory-rows.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'

const tenant = 'ten_00aaaaaaaa'
const SHARD = 0
/** For so long a delivery and an outcome wait for company. */
const LINGERS_MS = [10, 500]
const FIRST_ROW_MS = 1_000
const kinds = [webhookEndpointKind, webhookDeliveryKind]
const tables = new KindTables(kinds)

/** Sleeps that end only when they may. */
const gate = () => {
  let { promise, resolve } = Promise.withResolvers<void>()
  resolve()
  return {
    close: (): void => {
      const next = Promise.withResolvers<void>()
      promise = next.promise
      resolve = next.resolve
    },
    open: () => resolve(),
    pass: (signal?: AbortSignal): Promise<void> => {
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
      return Promise.race([promise, aborted])
    },
  }
}

const openWorld = async () => {
  const real = createRuntime()
  const [lingering, firstRows, reading] = [gate(), gate(), gate()]
  const runtime = {
    ...real,
    sleep: (ms: number, signal?: AbortSignal) =>
      signal === undefined && LINGERS_MS.includes(ms) ? lingering.pass() : real.sleep(ms, signal),
  }
  const context = { ...contextOn(temporaryFolder('delivery-costs')), runtime }
  const receiver: { answer: () => Promise<WebhookAnswer> } = {
    answer: async () => ({ status: 200, durationMs: 1, error: null, answer: '' }),
  }
  const counts = { sent: 0, rows: 0, read: 0 }
  const send = async (): Promise<WebhookAnswer> => {
    counts.sent += 1
    return receiver.answer()
  }
  const given = {
    runtime,
    webhookSender: { send },
    runningAttempts: new RunningAttempts(),
    endpointLimits: endpointLimitDefaults,
    personalData: () => ({}),
    hasOwnKey: () => false,
  }
  const durable = await openDurableActors(
    context,
    (ports) => kinds.map((kind) => kind.definition(givenPorts({ ...given, ...ports }))),
    { projectedReader: DIRECTORY_READER },
  )
  const { actors, journal, vault } = durable
  const directory = new SqliteDirectory(':memory:')
  const projector = new Projector({
    journal: {
      readTail: async (...asked) => {
        await reading.pass()
        const found = await journal.readTail(...asked)
        counts.read += found.length
        return found
      },
      firstKeptNo: (shard) => journal.firstKeptNo(shard),
      savePosition: (...saved) => journal.savePosition(...saved),
      onCommitted: (listener) => journal.onCommitted(listener),
    },
    directory: {
      positionOf: async (shard) => directory.positionOf(shard),
      write: async (shard, rows, position) => {
        counts.rows += rows.length
        directory.write(shard, rows, position)
      },
    },
    runtime: {
      sleep: (ms, signal) => (ms === FIRST_ROW_MS ? firstRows.pass(signal) : real.sleep(ms, signal)),
    },
    shards: 1,
    rowsOf: async (actor) => tables.rowsOf(actors, actor),
    firstRowWaits: (actor) => tables.firstRowWaits(actor),
    parking: new MemoryParking(),
    actorsOf: async function* () {
      yield* []
    },
    rebuilt: () => undefined,
    failed: () => undefined,
  })
  await vault.makeTenant(tenant)
  const eventTypes = ['credential.state_changed']
  const ports = { actors, vault, runtime, allowPrivateTargets: true, eventTypes }
  await setWebhookEndpoint(ports, tenant, { url: 'https://receiver.example', eventTypes: null }, 'set')
  await projector.caughtUp()
  const take = webhookIntake({
    actors,
    now: () => runtime.now(),
    parking: new MemoryParking(),
    atOnceMax: 16,
  })
  /** What the log of the shard has of deliveries. */
  const logged = async () => {
    const tail = await journal.readTail(SHARD, null, 10_000)
    const ours = tail.filter(({ entry }) => webhookDelivery.find(entry.actor) !== null)
    return { batches: new Set(ours.map(({ no }) => no)).size, events: ours.length }
  }
  return {
    counts,
    receiver,
    lingering,
    firstRows,
    reading,
    directory,
    projector,
    logged,
    tell: (index: number) => take([record(tenant, 2 * index + 1)]),
    close: async () => {
      for (const each of [lingering, firstRows, reading]) each.open()
      await projector[Symbol.asyncDispose]()
      directory[Symbol.dispose]()
      await context.lifecycle.end(() => undefined)
    },
  }
}

let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld()
}, 120_000)
afterAll(() => world.close())

const patience = 30_000

it('a delivery that arrives at once is two events, and one row of its list', async () => {
  const { counts, firstRows, logged, projector, directory } = world
  firstRows.close()
  const COUNT = 20
  for (let index = 0; index < COUNT; index++) {
    await world.tell(index)
    await expect.poll(async () => (await logged()).events, { timeout: patience }).toBe(2 * (index + 1))
  }
  await projector.caughtUp()
  const { events, batches } = await logged()
  expect({ events, rows: counts.rows, sent: counts.sent }).toEqual({
    events: 2 * COUNT,
    rows: COUNT,
    sent: COUNT,
  })
  expect(batches).toBeLessThanOrEqual(2 * COUNT)
  const { total } = await directory.list(query({ tenant, kind: 'webhook-delivery' }))
  expect(total).toBe(COUNT)
  firstRows.open()
})

it('the lists bring no outcome to a commit of its own, which waits for company', async () => {
  const { counts, receiver, lingering, firstRows, reading, logged } = world
  const answer = Promise.withResolvers<WebhookAnswer>()
  receiver.answer = () => answer.promise
  firstRows.close()
  const before = await logged()
  const { rows, sent } = counts
  reading.close()
  await world.tell(100)
  await eventually(() => expect(counts.sent).toBe(sent + 1))
  lingering.close()
  answer.resolve({ status: 200, durationMs: 1, error: null, answer: '' })
  // The outcome is decided now, and not committed.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { read } = counts
  reading.open()
  await eventually(() => expect(counts.read).toBeGreaterThan(read))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await logged()).toEqual({ events: before.events + 1, batches: before.batches + 1 })
  lingering.open()
  await eventually(async () => expect((await logged()).events).toBe(before.events + 2))
  await eventually(() => expect(counts.rows).toBe(rows + 1))
  firstRows.open()
})

it('a delivery that takes longer than a second is listed while it is pending', async () => {
  const { receiver, directory, projector } = world
  const answer = Promise.withResolvers<WebhookAnswer>()
  receiver.answer = () => answer.promise
  const pending = async () => {
    const { rows } = await directory.list(query({ tenant, kind: 'webhook-delivery' }))
    return rows.filter(({ state }) => state.startsWith('p')).length
  }
  await world.tell(200)
  await expect.poll(pending, { timeout: patience }).toBe(1)
  answer.resolve({ status: 200, durationMs: 1, error: null, answer: '' })
  await expect
    .poll(
      async () => {
        await projector.caughtUp()
        return pending()
      },
      { timeout: patience },
    )
    .toBe(0)
})
