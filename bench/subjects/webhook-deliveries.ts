// Endpoints and deliveries as the service has them: intake, host, journal, lists, the signed way out; events are given.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KindPorts } from '../../src/actors/kind-ports.ts'
import { kinds } from '../../src/actors/index.ts'
import { newNonce } from '../../src/actors/ids.ts'
import { publishedEventsOf } from '../../src/actors/published-events.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { webhookDeliveryKind } from '../../src/actors/webhook-delivery/index.ts'
import { webhookIntake } from '../../src/actors/webhook-delivery/intake.ts'
import { RunningAttempts } from '../../src/actors/webhook-delivery/running-attempts.ts'
import { setWebhookEndpoint } from '../../src/actors/webhook-endpoint/commands.ts'
import { endpointOf } from '../../src/actors/webhook-endpoint/rules.ts'
import { webhookEndpointKind } from '../../src/actors/webhook-endpoint/index.ts'
import { composeWebhooks } from '../../src/compose/events.ts'
import { openDurableActors } from '../../src/compose/durable-actors.ts'
import { followLists } from '../../src/compose/lists.ts'
import { composeParking } from '../../src/compose/parking.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { Lifecycle } from '../../src/lifecycle.ts'
import type { PublicEvent } from '../../src/ports/publication.ts'
import type { StreamRecord } from '../../src/ports/stream.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { createLog } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { FOLLOWERS } from './service-folder.ts'

type Opened = Awaited<ReturnType<typeof open>>

let opened: Opened | null = null
const world = (): Opened => {
  if (opened === null) throw new Error('it is not started')
  return opened
}

/** As many events as a page of the journal has. */
const PAGE = 256

export async function start(): Promise<void> {
  opened = await open()
}

export async function setEndpoint(tenant: string, url: string): Promise<void> {
  const { durable } = world()
  await durable.vault.makeTenant(tenant)
  const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)
  const ports = { ...durable, allowPrivateTargets: true, eventTypes }
  const answer = await setWebhookEndpoint(ports, tenant, { url, eventTypes: null }, `set ${tenant}`)
  if ('refused' in answer) throw new Error(answer.reason)
}

/** Takes in so many events of the organisation and resolves when all of them have arrived. */
export async function deliver(tenant: string, count: number): Promise<{ readonly perS: number }> {
  const { sent } = world()
  const startedMs = performance.now()
  const arrived = sent.after(tenant, count)
  await owe(tenant, count)
  await arrived
  return { perS: count / ((performance.now() - startedMs) / 1_000) }
}

/** Orders all that was delivered to be sent again, and resolves when so many have arrived once more. */
export async function resend(tenant: string, count: number): Promise<{ readonly perS: number }> {
  const { durable, sent } = world()
  const { actors, runtime } = durable
  const startedMs = performance.now()
  const arrived = sent.after(tenant, count)
  const id = runtime.newId()
  const span = { fromMs: null, toMs: Math.floor(runtime.now()) }
  const command = { type: 'ResendDeliveries', atMs: runtime.now(), id, status: 'delivered', ...span } as const
  await actors.ask(endpointOf(tenant), command, { commandId: id, tenant })
  await arrived
  return { perS: count / ((performance.now() - startedMs) / 1_000) }
}

/** Takes in so many events and resolves when they are deliveries, whatever becomes of these. */
export async function owe(tenant: string, count: number): Promise<void> {
  const { take } = world()
  for (let first = 0; first < count; first += PAGE)
    await take(Array.from({ length: Math.min(PAGE, count - first) }, () => recordOf(tenant)))
}

/** One event after the other; answers how long each took from its intake to the receiver's answer. */
export async function oneByOne(tenant: string, count: number, pauseMs: number): Promise<readonly number[]> {
  const { take, sent } = world()
  const tookMs: number[] = []
  for (let index = 0; index < count; index++) {
    const startedMs = performance.now()
    const arrived = sent.after(tenant, 1)
    await take([recordOf(tenant)])
    await arrived
    tookMs.push(performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return tookMs
}

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-webhooks-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const environment = { VOUCHSAFE_DATA_FOLDER: folder, VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' }
  const context = {
    config: loadConfig(environment),
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    lifecycle: new Lifecycle(),
    runtime: createRuntime(),
    newNonce,
  }
  const { runtime, log } = context
  const tables = new KindTables([webhookEndpointKind, webhookDeliveryKind])
  const { webhookSender, ...webhooks } = composeWebhooks(context.config, runtime)
  const sent = new SentCounts()
  const lists = Promise.withResolvers<ReturnType<typeof followLists>>()
  const given = {
    ...webhooks,
    webhookSender: counted(webhookSender, sent),
    runtime,
    runningAttempts: new RunningAttempts(),
    hasOwnKey: () => false,
    eventTypes: [EVENT_TYPE],
    personalData: tables.personalData,
    lists: {
      list: async (query) => (await lists.promise).directory.list(query),
      listHere: async (query) => (await lists.promise).listHere(query),
      caughtUpWith: async (id) => (await lists.promise).caughtUpWith(id),
    },
  } satisfies Partial<KindPorts>
  const durable = await openDurableActors(
    context,
    (inside) =>
      [webhookEndpointKind, webhookDeliveryKind].map((kind) =>
        kind.definition({ ...given, ...inside } as unknown as KindPorts),
      ),
    FOLLOWERS,
  )
  lists.resolve(followLists(context, durable, tables))
  const { actors } = durable
  const parking = composeParking({ ...durable, announceParked: async () => undefined }, log)
  const take = webhookIntake({ actors, now: () => runtime.now(), parking, atOnceMax: 64 })
  return { durable: { ...durable, runtime }, take, sent }
}

const EVENT_TYPE = 'credential.state_changed'
let made = 0

/** An event of a credential, of the usual size, without personal fields. */
const recordOf = (tenant: string): StreamRecord => {
  const recordId = `cre_00${String(++made).padStart(24, '0')}`
  const id = `evt_${recordId}_1`
  const event: PublicEvent = {
    id,
    type: EVENT_TYPE,
    tenant,
    createdAtMs: Date.now(),
    recordType: 'credential',
    recordId,
    data: {
      id: recordId,
      state: 'done',
      previousState: 'credential-issued',
      externalId: `order-${made}`,
      connectionId: 'con_00000000000000000000000001',
      credentialDefinitionId: 'def_00000000000000000000000001',
      errorMessage: null,
      biometric: null,
      updatedAt: new Date().toISOString(),
      sequence: 4,
    },
    sealed: null,
  }
  return { place: { shard: 0, no: made, index: 0 }, event }
}

/** How many events each organisation's endpoint has taken. */
class SentCounts {
  readonly #counts = new Map<string, number>()
  #waiting: { readonly tenant: string; readonly count: number; readonly resolve: () => void }[] = []

  add(tenant: string): void {
    const count = (this.#counts.get(tenant) ?? 0) + 1
    this.#counts.set(tenant, count)
    const isOver = (each: { readonly tenant: string; readonly count: number }): boolean =>
      each.tenant === tenant && count >= each.count
    for (const each of this.#waiting) if (isOver(each)) each.resolve()
    this.#waiting = this.#waiting.filter((each) => !isOver(each))
  }

  /** Resolves when so many more have arrived. */
  after(tenant: string, more: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ tenant, count: (this.#counts.get(tenant) ?? 0) + more, resolve })
    return promise
  }
}

const counted = (sender: WebhookSender, sent: SentCounts): WebhookSender => ({
  send: async (post, signal) => {
    const answer = await sender.send(post, signal)
    if (answer.error === null) sent.add((JSON.parse(post.body) as { readonly tenantId: string }).tenantId)
    return answer
  },
})
