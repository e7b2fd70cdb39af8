import type { Actors } from '../ports/actors.ts'
import { createRuntime } from '../host/runtime.ts'
import type { Config } from '../config/config.ts'
import { DIRECTORY_READER } from '../directory/projector.ts'
import { Outbound } from '../egress/outbound.ts'
import { type ActorKinds, type Heart, openHeart } from './actor-runtime.ts'
import { openLedger } from '../ledger/open-ledger.ts'
import { identityFromSeed } from '../ledger/sandbox/identities.ts'
import { signerFromSeed } from '../ledger/signer.ts'
import { Lifecycle } from '../lifecycle.ts'
import type { Part, PartContext } from '../parts.ts'
import { PUBLISHER } from '../stream/shard-publisher.ts'
import { streamTelemetry } from '../telemetry/metrics.ts'
import { Passwords } from '../actors/account/passwords.ts'
import { createCatalogue } from '../actors/credential-definition/catalogue.ts'
import { newNonce } from '../actors/nonce.ts'
import { sharingReads } from '../host/old-shared-reads.ts'
import { ActiveTenants } from '../actors/tenant/active-tenants.ts'
import { kinds } from '../actors/index.ts'
import type { KindPorts } from '../actors/kind-ports.ts'
import { type ApiParts, composeApi } from './api.ts'
import { ensureDevelopmentTenant } from '../actors/tenant/development-tenant.ts'
import { composeCluster } from './cluster.ts'
import { composeWebhooks, type Events, openEvents } from './events.ts'
import { signGenesis } from './genesis-signature.ts'
import { lateActors } from './late-actors.ts'
import { followLists } from './lists.ts'
import { openSignatures } from './signatures.ts'
import { ProblemReporter } from '../didcomm/problem-reporter.ts'
import { publishedEvents } from '../actors/published-events.ts'
import { KindTables } from '../actors/tables.ts'
import { deliverByHttp } from './wallets.ts'

const SOCKETS_PER_HOST_MAX = 64
const DEFINITIONS_CACHED_MAX = 256

/** The whole service behind its ports: ledger, cryptography, durable actors, wallets, lists, routes and their callers. */
export const openService = async (context: PartContext): Promise<Part> => {
  const { config, log } = context
  const lifecycle = new Lifecycle()
  const end = () => lifecycle.end((part, error) => log('part.stop_failed', { part, error }))
  try {
    const runtime = context.runtime ?? createRuntime()
    const { askTimeoutMs } = config.actors
    const ledger = await openLedger(config, (name) => log('ledger.failed', { kind: name }))
    lifecycle.add('ledger', () => ledger[Symbol.asyncDispose]())
    const anoncreds = await openSignatures(context, lifecycle)
    const { allowPrivateTargets } = config.egress
    const outbound = new Outbound({ allowPrivateTargets, socketsPerHostMax: SOCKETS_PER_HOST_MAX })
    lifecycle.add('egress', async () => outbound[Symbol.dispose]())

    const actors = lateActors()
    const address = { public: config.http.publicUrl }
    const publicUrl = (): string => {
      if (address.public === '') throw new Error('the public port is not open yet')
      return address.public
    }
    const tables = new KindTables(kinds)
    const eventTypes = publishedEvents.map(({ type }) => type)
    const deliver = deliverByHttp(outbound, runtime)
    const receive = tables.receiverOf({ actors, runtime, reporter: new ProblemReporter(deliver) })
    const catalogue = createCatalogue({ actors, ledger, cachedMax: DEFINITIONS_CACHED_MAX })
    const signerOf = (seed: string) => signerFromSeed(Buffer.from(seed, 'base64url'))
    const personalData: KindPorts['personalData'] = (...sealed) => tables.personalData(...sealed)
    const webhooks = composeWebhooks(config, runtime)
    lifecycle.add('webhooks', async () => webhooks[Symbol.dispose]())
    const { webhookSender, endpointLimits } = webhooks
    const crypto = { ledger, anoncreds, catalogue, signerOf }
    const outside = { deliver, webhookSender, endpointLimits, publicUrl }
    const ports = { actors, runtime, personalData, ...crypto, ...outside }
    const heart = await openHeart(context, kindsOf(ports), {
      projectedReader: DIRECTORY_READER,
      publishedReader: PUBLISHER,
    })
    lifecycle.add('heart', () => heart[Symbol.asyncDispose]())
    actors.set(heart.actors)

    const { directory, orders: listOrders, listedUpTo } = followLists(context, lifecycle, heart, actors)
    const cluster = composeCluster({ ...heart, listedUpTo })
    const events = await followEvents(context, lifecycle, heart, actors)
    const useCases = {
      actors: sharingReads(actors),
      runtime,
      askTimeoutMs,
      catalogue,
      identityOf: identityFromSeed,
      newNonce: context.newNonce ?? newNonce,
      activeTenants: new ActiveTenants({ actors }),
    }
    const { namespace, genesis } = ledger
    const facts = { namespace, genesis, ...(await signGenesis(heart.vault, genesis.text)) }
    const passwords = new Passwords()
    const people = { ...useCases, vault: heart.vault, passwords, publicUrl }
    const all = { heart, useCases, directory, passwords, listOrders }
    return {
      name: 'service',
      probe: async () => void (await Promise.all([heart.probe(), events.probe()])),
      ...composeApi({
        ...all,
        ...events,
        eventTypes,
        config,
        receive,
        personalData,
        ledger: facts,
        cluster,
        publicUrl,
      }),
      listening: async ({ url }) => {
        address.public = url
        return isForDevelopment(config) ? ensureDevelopmentTenant(useCases, people) : []
      },
      [Symbol.asyncDispose]: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** No real organisation runs on a ledger that only this machine knows. */
const isForDevelopment = ({ policy, journal, ledger }: Config): boolean =>
  policy.developmentTenant && journal.engine === 'sqlite' && ledger.engine === 'sandbox'

const kindsOf =
  (ports: Omit<KindPorts, 'vault'>): ActorKinds =>
  ({ vault }) =>
    kinds.map((kind) => kind.definition({ ...ports, vault }))

/** Events on their way from the journal to webhooks and to open event streams. */
const followEvents = async (
  { config, log, metrics }: PartContext,
  lifecycle: Lifecycle,
  { journal, runtime, isOpen }: Heart,
  actors: Actors,
): Promise<Events & Pick<ApiParts, 'unreadableEvent'>> => {
  const events = await openEvents({
    config,
    actors,
    journal,
    runtime,
    publish: new KindTables(kinds).publish,
    isOpen,
    report: ({ during, shard, error }) => log('events.behind', { part: during, shard, error }),
  })
  lifecycle.add('events', () => events[Symbol.asyncDispose]())
  return { ...events, unreadableEvent: streamTelemetry(metrics.registry, log) }
}
