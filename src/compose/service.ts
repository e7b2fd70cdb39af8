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
import { signGenesis } from '../ledger/genesis-signature.ts'
import { openLedger } from '../ledger/open-ledger.ts'
import { identityFromSeed } from '../ledger/sandbox/identities.ts'
import { signerFromSeed } from '../ledger/signer.ts'
import { PUBLISHER } from '../stream/shard-publisher.ts'
import { streamTelemetry } from '../telemetry/metrics.ts'
import { composeApi } from './api.ts'
import { composeCluster } from './cluster.ts'
import { openDurableActors } from './durable-actors.ts'
import { composeWebhooks, openEvents, waysOutOf } from './events.ts'
import { followLists } from './lists.ts'
import { mediatorToCome } from './mediator.ts'
import { openMediator } from './open-mediator.ts'
import { oneForAllNodes } from './one-for-all-nodes.ts'
import { sweepByRetention } from './retention.ts'
import type { ServiceContext } from './service-context.ts'
import { openSignatures } from './signatures.ts'
import { deliverTo, type Inside } from '../didcomm/deliver.ts'
import type { Actors } from '../ports/actors.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import type { Deliver } from '../ports/wallets.ts'

const SOCKETS_PER_HOST_MAX = 64
const DEFINITIONS_CACHED_MAX = 256

export type Service = Awaited<ReturnType<typeof openService>>
export type OpenService = (context: ServiceContext) => Promise<Service>

/** The whole service behind its ports: ledger, cryptography, durable actors, wallets, lists, routes and their callers. */
export const openService = async (context: ServiceContext, kinds: readonly Kind[] = everyKind) => {
  const { config, log, runtime, newNonce } = context
  const tables = new KindTables(kinds)
  const contents = contentsOf(kinds)
  const ledger = await useLedger(context)
  const anoncreds = await openSignatures(context)
  const address = outsideAddress(config.http.publicUrl)
  const toCome = mediatorToCome(address.publicUrl)
  const waysOut = openWaysOut(context, toCome)
  const runningAttempts = new RunningAttempts()
  const lists = listsToCome()
  const eventTypes = contents.events.map(({ type }) => type)
  const common = { runtime, ...aboutRecords(tables), eventTypes, publicUrl: address.publicUrl }
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
  const followed = followLists(context, durable, tables)
  lists.came(followed)
  sweepByRetention(context, durable, followed.finished)
  const events = await openEvents(context, durable, tables.publish)
  const ports: ApiPorts = {
    ...common,
    actors,
    vault,
    catalogue,
    directory: followed.directory,
    deliver: waysOut.deliver,
    ...oneForAllNodes(durable, { runningAttempts, clearedOf: followed.clearedOf }),
    namespace: ledger.namespace,
    newNonce,
    identityOf: identityFromSeed,
    passwords: await openPasswords(),
    tokenTags: await openTokenTags(vault),
    clientAddress: clientAddressBehind(config.http.trustedProxies),
    feed: events.feed,
    unreadableEvent: streamTelemetry(context.metrics.registry, log),
    allowPrivateTargets: config.egress.allowPrivateTargets,
    targetPorts: config.egress.targetPorts,
  }
  return {
    name: 'service',
    contents,
    isDraining: durable.isDraining,
    probe: () => allThere([durable, events, followed]),
    ...composeApi({
      kinds,
      ports,
      config,
      ...serve(inboundOf(tables, { ...ports, bodies, mediator }, config)),
      ledger: await ledgerFacts(ledger, vault),
      cluster: composeCluster({ ...durable, listedUpTo: followed.listedUpTo }),
      listRebuild: followed.rebuild,
      listsCaughtUp: followed.caughtUp,
      ratesOver: durable.everywhere?.ratesOver,
    }),
    sockets,
    listening: onListening(address, ports, config),
    /** Called last: other nodes may ask for anything from then on. */
    takePart: durable.takePart,
  }
}

const aboutRecords = ({ personalData, hasOwnKey }: KindTables) => ({ personalData, hasOwnKey })

const allThere = async (parts: readonly { readonly probe: () => Promise<unknown> }[]): Promise<void> => {
  await Promise.all(parts.map((part) => part.probe()))
}

const ledgerFacts = async ({ namespace, genesis }: Ledger, vault: Vault) => ({
  namespace,
  genesis,
  ...(await signGenesis(vault, genesis.text)),
})

/** The public port is open. Answers with what a person at the terminal should read. */
const onListening =
  (address: ReturnType<typeof outsideAddress>, ports: ApiPorts, config: Config) =>
  async (url: string): Promise<readonly string[]> => {
    address.isNow(url)
    return isForDevelopment(config) ? ensureDevelopmentTenant(ports, ports) : []
  }

const useLedger = async ({ config, log, lifecycle }: ServiceContext): Promise<Ledger> =>
  lifecycle.use('ledger', await openLedger(config, (name) => log('ledger.failed', { kind: name })))

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

/**
 * The address of the service as the outside sees it. Where none is set it names the public port, which the machine may
 * choose; that port opens last, when all that answers on it is there, so the address comes in by `isNow`.
 */
const outsideAddress = (configured: string) => {
  let address = configured
  return {
    publicUrl: (): string => {
      if (address === '') throw new Error('the public port is not open yet')
      return address
    },
    isNow: (url: string): void => {
      address = url
    },
  }
}

/** The actors of all kinds, and the catalogue that reads through them; what they owe is done with the same catalogue. */
const openActors = async (
  context: ServiceContext,
  kinds: readonly Kind[],
  outside: Omit<KindPorts, 'actors' | 'removals' | 'vault' | 'bodies' | 'catalogue'> & {
    readonly ledger: Ledger
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
  return { ...durable, catalogue: catalogueOver(durable.actors) }
}

/** What sends messages to wallets and webhooks to organisations, each over sockets of its own. */
const openWaysOut = (
  { config, runtime, lifecycle, log }: ServiceContext,
  { inside, mailboxWatch }: ReturnType<typeof mediatorToCome>,
): Pick<KindPorts, 'mailboxWatch' | 'deliver' | 'webhookSender' | 'endpointLimits'> => {
  if (config.egress.allowPrivateTargets) log('egress.private_targets_allowed')
  const outbound = new Outbound({ ...waysOutOf(config.egress), socketsPerHostMax: SOCKETS_PER_HOST_MAX })
  lifecycle.add('egress', async () => outbound[Symbol.dispose]())
  const webhooks = composeWebhooks(config, runtime)
  lifecycle.add('webhooks', async () => webhooks[Symbol.dispose]())
  const { webhookSender, endpointLimits } = webhooks
  return { mailboxWatch, deliver: deliverByHttp(outbound, runtime, inside), webhookSender, endpointLimits }
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
