import { openPasswords } from '../actors/account/passwords.ts'
import { HandshakeLimits } from '../actors/invitation/handshake-limits.ts'
import { LateComers } from '../actors/invitation/late-comers.ts'
import { openTokenTags } from '../actors/tokens.ts'
import { contentsOf } from '../actors/contents.ts'
import { heldIn } from '../actors/parked-record/parking.ts'
import { createCatalogue } from '../actors/credential-definition/catalogue.ts'
import type { Kind } from '../actors/define-kind.ts'
import { kinds as everyKind } from '../actors/index.ts'
import type { ApiPorts, KindPorts } from '../actors/kind-ports.ts'
import type { WalletMediator } from '../actors/mailbox/mediator.ts'
import { acceptedAgreement } from '../actors/ledger-agreement/commands.ts'
import { KindTables } from '../actors/tables.ts'
import { RunningAttempts } from '../actors/webhook-delivery/running-attempts.ts'
import { type ShardsToCome, TenantRests } from '../actors/tenant/rests.ts'
import { ensureDevelopmentTenant } from '../actors/tenant/development-tenant.ts'
import type { Config } from '../config/config.ts'
import { ProblemReporter } from '../didcomm/problem-reporter.ts'
import { DIRECTORY_READER } from '../directory/saved-positions.ts'
import { Outbound } from '../egress/outbound.ts'
import { isSocket } from '../egress/target.ts'
import { clientAddressBehind } from '../http/server/client-address.ts'
import { identityFromSeed } from '../ledger/sandbox/identities.ts'
import { signerFromSeed } from '../ledger/signer.ts'
import { PUBLISHER } from '../stream/shard-publisher.ts'
import { streamTelemetry } from '../telemetry/metrics.ts'
import { composeApi } from './api.ts'
import { composeCluster } from './cluster.ts'
import { openDurableActors } from './durable-actors.ts'
import { composeWebhooks, openEvents, waysOutOf } from './events.ts'
import type { SandboxFaces } from '../biometric/sandbox-faces.ts'
import { openFaceVendors, roomForImages } from './face-vendors.ts'
import { healthOfNodes } from './health.ts'
import { ledgerDetail, ledgerFacts, useLedger, vdrProxyOf } from './ledger.ts'
import { followLists } from './lists.ts'
import { mediatorToCome } from './mediator.ts'
import { openMediator } from './open-mediator.ts'
import { oneForAllNodes } from './one-for-all-nodes.ts'
import { outsideAddress } from './outside-address.ts'
import { sweepByRetention } from './retention.ts'
import type { ServiceContext } from './service-context.ts'
import { openSignatures } from './signatures.ts'
import { deliverTo, type Inside } from '../didcomm/deliver.ts'
import type { Actors } from '../ports/actors.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Deliver } from '../ports/wallets.ts'

const SOCKETS_PER_HOST_MAX = 64
const DEFINITIONS_CACHED_MAX = 256

export type Service = Awaited<ReturnType<typeof openService>>
export type OpenService = (context: ServiceContext) => Promise<Service>

/** The whole service behind its ports: ledger, cryptography, durable actors, wallets, lists, routes and their callers. */
export const openService = async (context: ServiceContext, kinds: readonly Kind[] = everyKind) => {
  const { config, runtime, newNonce } = context
  const tables = new KindTables(kinds)
  const contents = contentsOf(kinds)
  const ledger = await useLedger(context)
  const anoncreds = await openSignatures(context)
  const address = outsideAddress(config.http.publicUrl)
  const toCome = mediatorToCome(address.publicUrl)
  const { sandboxFaces, ...waysOut } = openWaysOut(context, toCome)
  const runningAttempts = new RunningAttempts()
  const lists = listsToCome()
  const common = { runtime, newNonce, ...aboutKinds(tables, contents), publicUrl: address.publicUrl }
  const { catalogue, ...durable } = await openActors(context, kinds, {
    ...common,
    ...waysOut,
    runningAttempts,
    ...lists.ports,
    deletion: { recordsPerSecond: config.policy.retentionRecordsPerSecondMax },
    ledger,
    anoncreds,
    signerOf: (seed) => signerFromSeed(Buffer.from(seed, 'base64url')),
  })
  const { actors, vault, bodies } = durable
  const { mediator, sockets, serve } = await openMediator(context, durable, toCome)
  const followed = openLists(context, durable, tables, lists)
  const events = await openEvents(context, durable, tables.publish)
  const ports: ApiPorts = {
    ...common,
    actors,
    vault,
    bodies,
    imageRoom: roomForImages(context, bodies),
    faceVendors: waysOut.faceVendors,
    catalogue,
    ...followed.ports,
    deliver: waysOut.deliver,
    ...oneForAllNodes(durable, { runningAttempts, clearedOf: followed.clearedOf }),
    ...portsOfLedger(ledger),
    passwords: await openPasswords(),
    tokenTags: await openTokenTags(vault),
    feed: events.feed,
    ...portsOfContext(context),
  }
  return {
    name: 'service',
    contents,
    isDraining: durable.isDraining,
    probe: () => allThere([durable, events, followed]),
    detail: () => [ledgerDetail(ledger.status)],
    ...composeApi({
      kinds,
      ports,
      config,
      ...serve(inboundOf(tables, { ...ports, bodies, mediator }, config)),
      ledger: await ledgerFacts(ledger, vault, config),
      vdrProxy: vdrProxyOf(ledger, context, ports),
      cluster: composeCluster({ ...durable, listedUpTo: followed.listedUpTo }),
      health: healthOfNodes(context, durable, { events, lists: followed }, ledger),
      listRebuild: followed.rebuild,
      listsCaughtUp: followed.caughtUp,
      ratesOver: durable.everywhere?.ratesOver,
      sandboxFaces,
    }),
    sockets,
    listening: onListening(address, ports, config),
    /** Called last: other nodes may ask for anything from then on. */
    takePart: durable.takePart,
  }
}

const portsOfLedger = (ledger: OpenLedger) => ({
  ledger,
  namespace: ledger.namespace,
  identityOf: identityFromSeed,
})

const portsOfContext = ({ config, log, newNonce, metrics }: ServiceContext) => ({
  newNonce,
  offerItemsPerMinute: config.policy.offerItemsPerMinuteMax,
  clientAddress: clientAddressBehind(config.http.trustedProxies),
  unreadableEvent: streamTelemetry(metrics.registry, log),
  allowPrivateTargets: config.egress.allowPrivateTargets,
  targetPorts: config.egress.targetPorts,
})

const aboutKinds = ({ personalData, hasOwnKey }: KindTables, { events }: ReturnType<typeof contentsOf>) => ({
  personalData,
  hasOwnKey,
  eventTypes: events.map(({ type }) => type),
  publishedEvents: events,
})

const allThere = async (parts: readonly { readonly probe: () => Promise<unknown> }[]): Promise<void> => {
  await Promise.all(parts.map((part) => part.probe()))
}

/** The public port is open. Answers with what a person at the terminal should read. */
const onListening =
  (address: ReturnType<typeof outsideAddress>, ports: ApiPorts, config: Config) =>
  async (url: string): Promise<readonly string[]> => {
    address.isNow(url)
    return isForDevelopment(config) ? ensureDevelopmentTenant(ports, ports) : []
  }

/** The actors are open before the lists, which follow what they commit; what is owed to a list waits for it. */
const listsToCome = () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof followLists>>()
  const records = async () => (await promise).recordsOfTenant
  const ports: Pick<KindPorts, 'lists' | 'recordsOfTenant'> = {
    lists: {
      list: async (query) => (await promise).directory.list(query),
      caughtUpWith: async (recordId) => (await promise).caughtUpWith(recordId),
      listHere: async (query) => (await promise).listHere(query),
    },
    recordsOfTenant: {
      listsOf: async (tenant) => (await records()).listsOf(tenant),
      recordsOf: async (query) => (await records()).recordsOf(query),
      listed: async (query) => (await records()).listed(query),
      unlist: async (rows) => (await records()).unlist(rows),
      caughtUp: async () => (await records()).caughtUp(),
      everyActor: async function* () {
        yield* (await records()).everyActor()
      },
    },
  }
  return { ports, came: resolve }
}

/** They follow what the actors commit, and the sweep of what retention ends follows them. */
const openLists = (
  context: ServiceContext,
  durable: Parameters<typeof followLists>[1],
  tables: KindTables,
  lists: ReturnType<typeof listsToCome>,
) => {
  const followed = followLists(context, durable, tables)
  lists.came(followed)
  sweepByRetention(context, durable, followed.finished)
  return followed
}

/** Copies of other nodes' records are current, and what is known longer than they are would not be. */
const restsBeside = ({ journal }: Config, actors: Actors, toCome: ShardsToCome | null = null): TenantRests =>
  new TenantRests(actors, toCome, journal.engine === 'cassandra' ? 0 : undefined)

/** Takes what wallets write. */
const inboundOf = (
  tables: KindTables,
  ports: Pick<
    ApiPorts,
    'actors' | 'runtime' | 'vault' | 'directory' | 'deliver' | 'allowPrivateTargets' | 'targetPorts'
  > &
    Pick<KindPorts, 'bodies'> & { readonly mediator: WalletMediator },
  config: Config,
) => {
  const { actors, runtime, vault, bodies, allowPrivateTargets, targetPorts = [], mediator } = ports
  const rests = restsBeside(config, actors)
  const isResting = async (tenant: string) => (await rests.of(tenant))?.isResting === true
  const reporter = new ProblemReporter(ports.deliver, undefined, isResting)
  const handshakes = new HandshakeLimits(ports, config.handshakes)
  const lateComers = new LateComers(runtime)
  const shared = { actors, runtime, vault, bodies, allowPrivateTargets, targetPorts, mediator }
  return {
    inbound: tables.inboundOf({ ...shared, reporter, handshakes, lateComers }),
    forward: (envelope: string) => mediator.receive(null, envelope),
  }
}

/** The actors of all kinds, and the catalogue that reads through them; what they owe is done with the same catalogue. */
const openActors = async (
  context: ServiceContext,
  kinds: readonly Kind[],
  outside: Omit<KindPorts, 'actors' | 'removals' | 'vault' | 'bodies' | 'catalogue'> & {
    readonly ledger: OpenLedger
  },
) => {
  const catalogueOver = createCatalogue({ ledger: outside.ledger, cachedMax: DEFINITIONS_CACHED_MAX })
  const durable = await openDurableActors(
    context,
    (inside) => {
      const ports: KindPorts = { ...outside, ...inside, catalogue: catalogueOver(inside.actors) }
      return kinds.map((kind) => kind.definition(ports))
    },
    { projectedReader: DIRECTORY_READER, publishedReader: PUBLISHER },
    (actors, shard) => heldIn({ actors, runtime: context.runtime }, shard),
    (actors, toCome) => restsBeside(context.config, actors, toCome),
  )
  outside.ledger.acceptedBy(acceptedAgreement(durable))
  return { ...durable, catalogue: catalogueOver(durable.actors) }
}

/** What sends messages to wallets and webhooks to organisations, each over sockets of its own. */
const openWaysOut = (
  { config, runtime, lifecycle, log }: ServiceContext,
  { inside, mailboxWatch }: ReturnType<typeof mediatorToCome>,
): Pick<KindPorts, 'mailboxWatch' | 'deliver' | 'webhookSender' | 'endpointLimits' | 'faceVendors'> & {
  readonly sandboxFaces: SandboxFaces | null
} => {
  if (config.egress.allowPrivateTargets) log('egress.private_targets_allowed')
  const outbound = new Outbound({ ...waysOutOf(config.egress), socketsPerHostMax: SOCKETS_PER_HOST_MAX })
  lifecycle.add('egress', async () => outbound[Symbol.dispose]())
  const webhooks = composeWebhooks(config, runtime)
  lifecycle.add('webhooks', async () => webhooks[Symbol.dispose]())
  const { webhookSender, endpointLimits } = webhooks
  const faces = openFaceVendors(config, runtime)
  lifecycle.add('face-vendors', async () => faces[Symbol.dispose]())
  const { faceVendors, sandboxFaces } = faces
  const deliver = deliverByHttp(outbound, runtime, inside)
  return { mailboxWatch, deliver, webhookSender, endpointLimits, faceVendors, sandboxFaces }
}

/** No real organisation runs on a ledger that only this machine knows. */
const isForDevelopment = ({ policy, journal, ledger }: Config): boolean =>
  policy.developmentTenant && journal.engine === 'sqlite' && ledger.engine === 'sandbox'

const SEND_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 4_096

/** The way of messages to the endpoints of wallets. */
export const deliverByHttp = (outbound: Outbound, runtime: Pick<Runtime, 'newId'>, inside: Inside): Deliver =>
  deliverTo({
    inside,
    newId: () => runtime.newId(),
    send: async (url, body, signal) => {
      if (isSocket(url)) return outbound.sockets.send({ url, text: body, timeoutMs: SEND_TIMEOUT_MS, signal })
      const headers = { 'Content-Type': 'application/didcomm-envelope-enc' }
      const limits = { timeoutMs: SEND_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
      const { status } = await outbound.post({ url, headers, body, ...limits, signal })
      if (status < 200 || status > 299) throw new Error(`the wallet's endpoint answered ${status}`)
    },
  })
