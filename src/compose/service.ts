import { createRuntime } from '../host/runtime.ts'
import type { Config } from '../config/config.ts'
import { DIRECTORY_READER } from '../directory/projector.ts'
import { Outbound } from '../egress/outbound.ts'
import { type ActorKinds, type Heart, openHeart } from './actor-runtime.ts'
import { openLedger } from '../ledger/open-ledger.ts'
import { identityFromSeed } from '../ledger/sandbox/identities.ts'
import { signerFromSeed } from '../ledger/signer.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Runtime } from '../ports/runtime.ts'
import { Lifecycle } from '../lifecycle.ts'
import type { Part, PartContext } from '../parts.ts'
import { PUBLISHER } from '../stream/shard-publisher.ts'
import { streamTelemetry } from '../telemetry/metrics.ts'
import { openPasswords } from '../actors/account/passwords.ts'
import { type Catalogue, createCatalogue } from '../actors/credential-definition/catalogue.ts'
import { newNonce } from '../actors/nonce.ts'
import { ActiveTenants } from '../actors/tenant/active-tenants.ts'
import { openTokenTags } from '../actors/token-tags.ts'
import { contentsOf } from '../actors/contents.ts'
import type { Kind } from '../actors/define-kind.ts'
import { kinds as everyKind } from '../actors/index.ts'
import type { KindPorts } from '../actors/kind-ports.ts'
import { type ApiParts, composeApi } from './api.ts'
import { ensureDevelopmentTenant } from '../actors/tenant/development-tenant.ts'
import { composeCluster } from './cluster.ts'
import { composeWebhooks, type Events, openEvents } from './events.ts'
import { signGenesis } from './genesis-signature.ts'
import { followLists } from './lists.ts'
import { openSignatures } from './signatures.ts'
import { ProblemReporter } from '../didcomm/problem-reporter.ts'
import { KindTables } from '../actors/tables.ts'
import { deliverByHttp } from './wallets.ts'

const signerOf = (seed: string) => signerFromSeed(Buffer.from(seed, 'base64url'))

const SOCKETS_PER_HOST_MAX = 64
const DEFINITIONS_CACHED_MAX = 256

/** The whole service behind its ports: ledger, cryptography, durable actors, wallets, lists, routes and their callers. */
export const openService = async (
  context: PartContext,
  kinds: readonly Kind[] = everyKind,
): Promise<Part> => {
  const { config, log } = context
  const tables = new KindTables(kinds)
  const contents = contentsOf(kinds)
  const { personalData } = tables
  const lifecycle = new Lifecycle()
  const end = () => lifecycle.end((part, error) => log('part.stop_failed', { part, error }))
  try {
    const runtime = context.runtime ?? createRuntime()
    const ledger = await openLedger(config, (name) => log('ledger.failed', { kind: name }))
    lifecycle.add('ledger', () => ledger[Symbol.asyncDispose]())
    const anoncreds = await openSignatures(context, lifecycle)
    const address = new PublicAddress(config.http.publicUrl)
    const publicUrl = () => address.url
    const waysOut = openWaysOut(config, runtime, lifecycle)
    const outside = { runtime, ledger, anoncreds, signerOf, ...waysOut, personalData, publicUrl }
    const { heart, catalogue } = await openActors(context, kinds, outside)
    lifecycle.add('heart', () => heart[Symbol.asyncDispose]())
    const { actors } = heart
    const receive = tables.receiverOf({ actors, runtime, reporter: new ProblemReporter(waysOut.deliver) })

    const { directory, orders: listOrders, listedUpTo } = followLists(context, lifecycle, heart, tables)
    const cluster = composeCluster({ ...heart, listedUpTo })
    const events = await followEvents(context, lifecycle, heart, tables)
    const useCases = {
      actors,
      runtime,
      catalogue,
      identityOf: identityFromSeed,
      newNonce: context.newNonce ?? newNonce,
      activeTenants: new ActiveTenants({ actors }),
      tokenTags: await openTokenTags(heart.vault),
    }
    const { namespace, genesis } = ledger
    const facts = { namespace, genesis, ...(await signGenesis(heart.vault, genesis.text)) }
    const passwords = await openPasswords()
    const people = { ...useCases, vault: heart.vault, passwords, publicUrl }
    const all = { heart, useCases, directory, passwords, listOrders }
    return {
      name: 'service',
      contents,
      probe: async () => void (await Promise.all([heart.probe(), events.probe()])),
      ...composeApi({
        ...all,
        ...events,
        kinds,
        eventTypes: contents.events.map(({ type }) => type),
        config,
        receive,
        personalData,
        ledger: facts,
        cluster,
        publicUrl,
      }),
      listening: async ({ url }) => {
        address.url = url
        return isForDevelopment(config) ? ensureDevelopmentTenant(useCases, people) : []
      },
      [Symbol.asyncDispose]: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** The actors of all kinds; the catalogue reads through them, and their effects through the catalogue. */
const openActors = async (
  context: PartContext,
  kinds: readonly Kind[],
  outside: Omit<KindPorts, 'actors' | 'vault' | 'catalogue'> & { readonly ledger: Ledger },
): Promise<{ readonly heart: Heart; readonly catalogue: Catalogue }> => {
  let catalogue: Catalogue | null = null
  const kindsOf: ActorKinds = ({ actors, vault }) => {
    catalogue = createCatalogue({ actors, ledger: outside.ledger, cachedMax: DEFINITIONS_CACHED_MAX })
    const ports = { ...outside, actors, vault, catalogue }
    return kinds.map((kind) => kind.definition(ports))
  }
  const heart = await openHeart(context, kindsOf, {
    projectedReader: DIRECTORY_READER,
    publishedReader: PUBLISHER,
  })
  if (catalogue === null) throw new Error('the kinds were not asked for')
  return { heart, catalogue }
}

/** The address of the service, which is known once the public port is open. */
class PublicAddress {
  #url: string

  constructor(url: string) {
    this.#url = url
  }

  get url(): string {
    if (this.#url === '') throw new Error('the public port is not open yet')
    return this.#url
  }

  set url(url: string) {
    this.#url = url
  }
}

/** What sends messages to wallets and webhooks to organisations, each over sockets of its own. */
const openWaysOut = (
  config: Config,
  runtime: Runtime,
  lifecycle: Lifecycle,
): Pick<KindPorts, 'deliver' | 'webhookSender' | 'endpointLimits'> => {
  const { allowPrivateTargets } = config.egress
  const outbound = new Outbound({ allowPrivateTargets, socketsPerHostMax: SOCKETS_PER_HOST_MAX })
  lifecycle.add('egress', async () => outbound[Symbol.dispose]())
  const webhooks = composeWebhooks(config, runtime)
  lifecycle.add('webhooks', async () => webhooks[Symbol.dispose]())
  const { webhookSender, endpointLimits } = webhooks
  return { deliver: deliverByHttp(outbound, runtime), webhookSender, endpointLimits }
}

/** No real organisation runs on a ledger that only this machine knows. */
const isForDevelopment = ({ policy, journal, ledger }: Config): boolean =>
  policy.developmentTenant && journal.engine === 'sqlite' && ledger.engine === 'sandbox'

/** Events on their way from the journal to webhooks and to open event streams. */
const followEvents = async (
  { config, log, metrics }: PartContext,
  lifecycle: Lifecycle,
  { actors, journal, runtime, isOpen }: Heart,
  tables: Pick<KindTables, 'publish'>,
): Promise<Events & Pick<ApiParts, 'unreadableEvent'>> => {
  const events = await openEvents({
    config,
    actors,
    journal,
    runtime,
    publish: tables.publish,
    isOpen,
    report: ({ during, shard, error }) => log('events.behind', { part: during, shard, error }),
  })
  lifecycle.add('events', () => events[Symbol.asyncDispose]())
  return { ...events, unreadableEvent: streamTelemetry(metrics.registry, log) }
}
