// One service process reduced to connections and their events. Its starter kills it.
import { askById } from '../../host/parts/ask-by-id.ts'
import { givenPorts } from '../../actors/given-ports.ts'
import { actorsOf } from '../../host/parts/actors-that.ts'
import { connectionKind } from '../../../src/actors/connection/index.ts'
import { kinds } from '../../../src/actors/index.ts'
import { publishedEventsOf } from '../../../src/actors/published-events.ts'
import { KindTables } from '../../../src/actors/tables.ts'
import { webhookDeliveryKind } from '../../../src/actors/webhook-delivery/index.ts'
import { webhookEndpointKind } from '../../../src/actors/webhook-endpoint/index.ts'
import { defaultHostLimits } from '../../../src/host/host-limits.ts'
import { Host } from '../../../src/host/host.ts'
import { soleOwner } from '../../../src/ports/journal.ts'
import type { Actors } from '../../../src/ports/actors.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { Lifecycle } from '../../../src/lifecycle.ts'
import { silentLog } from '../../silent-log.ts'
import { composeWebhooks, openEvents } from '../../../src/compose/events.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { openEngine } from '../../../src/persistence/open-engine.ts'
import { openJournal } from '../../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import { openConfiguredVault } from '../../../src/persistence/vault/open-vault.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { PUBLISHER } from '../../../src/stream/shard-publisher.ts'
import { setWebhookEndpoint } from '../../../src/actors/webhook-endpoint/commands.ts'

const SHARDS = 4

const config = loadConfig(process.env)
const runtime = createRuntime()
const engine = await openEngine({ engine: 'sqlite', dataFolder: config.storage.dataFolder })
const vault = await openConfiguredVault(config, engine, () => runtime.monotonicMs())
const settings = { ...shardLogDefaults, publishedReader: PUBLISHER }
const journal = openJournal(engine.store, runtime, settings, soleOwner(runtime.newId()))
const actors: Actors = actorsOf(() => host)
const tables = new KindTables(kinds)
const ports = givenPorts({
  actors,
  runtime,
  vault,
  personalData: (...sealed) => tables.personalData(...sealed),
  hasOwnKey: (recordId) => tables.hasOwnKey(recordId),
  deliver: () => Promise.resolve(),
  publicUrl: () => 'https://issuer.example',
  ...composeWebhooks(config, runtime),
})
const served = [connectionKind, webhookEndpointKind, webhookDeliveryKind]
const host = new Host({
  journal,
  vault,
  runtime,
  definitions: () => served.map((kind) => kind.definition(ports)),
  limits: defaultHostLimits,
  report: () => undefined,
})
for (let shard = 0; shard < SHARDS; shard++) await host.open(shard)
const isOpen = (shard: number): boolean => host.isOpen(shard)
const onShards = (listener: () => void): (() => void) => host.onShards(listener)
const announceParked = async () => undefined
const epochOf = (shard: number): number | null => host.epochOf(shard)
const durable = { actors, journal, runtime, isOpen, onShards, epochOf, announceParked, cluster: null }
const context = { config, log: silentLog, lifecycle: new Lifecycle(), metrics: createMetrics() }
await openEvents(context, durable, tables.publish)

const ask = (actor: string, command: object, commandId: string): Promise<unknown> =>
  askById(host, actor, command, { commandId, timeoutMs: 5_000, tenant: null })

/** The same connection again is the same connection. */
export const connect = async (connection: string, tenant: string): Promise<void> => {
  await vault.makeTenant(tenant)
  const facts = {
    externalId: connection,
    threadId: connection,
    theirLabel: 'Phone of Ada',
    theirDid: 'did:x',
  }
  const theirService = { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] }
  const request = {
    type: 'RequestConnection',
    atMs: runtime.now(),
    tenant,
    invitationId: 'inv_00aaaaaaaa',
    ...facts,
    theirService,
    ownSeed: 'seed',
    ownKey: 'own',
    protocol: 'didexchange/1.1',
    prefix: 'https://didcomm.org/',
  }
  await ask(connection, request, `${connection} request`)
  const complete = { type: 'ReceiveConnectionComplete', atMs: runtime.now() }
  await ask(connection, complete, `${connection} complete`)
}

const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)
const endpointPorts = { actors, vault, runtime, allowPrivateTargets: true, eventTypes }

export const setEndpoint = async (tenant: string, url: string): Promise<string | null> => {
  await vault.makeTenant(tenant)
  const answer = await setWebhookEndpoint(endpointPorts, tenant, { url, eventTypes: null }, runtime.newId())
  if ('refused' in answer) throw new Error(answer.reason)
  return answer.secret
}
