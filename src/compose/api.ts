import { actingAs, ownerOfSession } from '../actors/account/callers.ts'
import { withConsoleRules } from '../actors/account/console-rules.ts'
import { ownerOfApiKey } from '../actors/api-key/commands.ts'
import type { Kind } from '../actors/define-kind.ts'
import { erasureLogRoute, localErasureLogRoutes } from '../actors/erasure-log.ts'
import type { ApiPorts } from '../actors/kind-ports.ts'
import { overviewRoutes } from '../actors/overview.ts'
import { retentionPreviewRoute } from '../actors/retention-preview.ts'
import { livingTenant } from '../actors/tenant/read.ts'
import { ownerOfWalletToken } from '../actors/wallet/commands.ts'
import type { Config } from '../config/config.ts'
import { isRefused } from '../domain/decider.ts'
import { authenticateBearers } from '../http/callers/bearer-caller.ts'
import { authenticateLocally } from '../http/callers/local-caller.ts'
import { authenticateCallers } from '../http/callers/session-caller.ts'
import { ownOriginOnly } from '../http/front-door/own-origin.ts'
import type { Route } from '../http/route/route.ts'
import { operatorClusterRoutes } from '../http/routes/cluster.ts'
import { shardMoveRoutes } from '../http/routes/shard-moves.ts'
import { shardOrderRoutes } from '../http/routes/shard-orders.ts'
import { operatorHealthRoute } from '../http/routes/operator-health.ts'
import { directoryRebuildRoutes } from '../http/routes/directory-rebuild.ts'
import { didcommRoute, type Forward, forwardRoute, type Inbound } from '../http/routes/didcomm.ts'
import type { LargeEnvelopes } from '../http/routes/large-envelopes.ts'
import { ledgerRoutes, type LedgerFacts } from '../http/routes/ledger.ts'
import { type SandboxCamera, sandboxFacesRoute } from '../http/routes/sandbox-faces.ts'
import { type VdrProxyParts, vdrProxyRoutes } from '../http/routes/vdr-proxy.ts'
import type { ClusterView } from '../ports/cluster.ts'
import type { NodeHealth } from '../ports/node-health.ts'
import type { Runtime } from '../ports/runtime.ts'
import { rateLimitOf, type RateLimit } from '../http/callers/rate-limit.ts'
import { LocalRateWindows, type RateWindows } from '../timing/rate-windows.ts'
import type { RunOncePerKey } from '../http/route/idempotency.ts'
import { runOncePerKey, type IdempotencyPorts } from '../actors/idempotency-claim/idempotency.ts'

export type ApiParts = {
  /** Whose routes are served, in the order in which they are described. */
  readonly kinds: readonly Kind[]
  readonly ports: ApiPorts
  readonly config: Pick<Config, 'rates'> & { readonly actors: Pick<Config['actors'], 'askTimeoutMs'> }
  readonly inbound: Inbound
  readonly forward: Forward
  readonly largeEnvelopes: Pick<LargeEnvelopes, 'take'>
  readonly ledger: LedgerFacts
  /** Null where nobody may read the ledger through the public port. */
  readonly vdrProxy: VdrProxyParts | null
  readonly cluster: ClusterView
  /** How every living node is. */
  readonly health: () => Promise<readonly NodeHealth[]>
  /** Windows of rates that are one for all nodes; left out where there is but one. */
  readonly ratesOver?: ((local: LocalRateWindows) => RateWindows) | undefined
  readonly listRebuild: Parameters<typeof directoryRebuildRoutes>[0]
  /** What wallets say to the sandbox vendor of face checks; null where there is none. */
  readonly sandboxFaces: SandboxCamera | null
  /** Resolves when everything that was committed is in the lists. */
  readonly listsCaughtUp: () => Promise<void>
}

/** The routes of all kinds and of the platform, and who may call them. */
export const composeApi = ({
  kinds,
  ports,
  config,
  inbound,
  forward,
  largeEnvelopes,
  ledger,
  vdrProxy,
  cluster,
  health,
  ratesOver,
  sandboxFaces,
  ...lists
}: ApiParts) => {
  const { runtime, publicUrl } = ports
  const byRules = (route: Route): Route => withConsoleRules(route, ports)
  const bearers = authenticateBearers({
    apiKey: (key) => ownerOfApiKey(ports, key),
    walletToken: (token) => ownerOfWalletToken(ports, token),
  })
  return {
    routes: [
      ...kinds.flatMap((kind) => kind.routes(ports)),
      erasureLogRoute(ports, kinds),
      retentionPreviewRoute(ports, kinds),
      ...overviewRoutes(ports, kinds),
      ...ledgerRoutes(ledger, publicUrl),
      ...(vdrProxy === null ? [] : vdrProxyRoutes(vdrProxy)),
      operatorHealthRoute(health),
      ...operatorClusterRoutes(cluster),
      ...shardOrderRoutes(cluster),
      ...shardMoveRoutes(cluster),
      ...(sandboxFaces === null ? [] : [sandboxFacesRoute(sandboxFaces)]),
      forwardRoute(forward),
      didcommRoute(inbound, ports.clientAddress, largeEnvelopes),
    ].map(byRules),
    /** Those that the private port has beside the others. */
    localRoutes: [
      ...kinds.flatMap((kind) => kind.localRoutes(ports)),
      ...localErasureLogRoutes(ports, lists.listsCaughtUp),
      ...directoryRebuildRoutes(lists.listRebuild),
    ].map(byRules),
    idempotency: composeIdempotency(ports, config.actors.askTimeoutMs),
    rateLimit: composeRateLimit(runtime, config.rates, ratesOver),
    authenticate: authenticateLocally(
      authenticateCallers(
        bearers,
        (token) => ownerOfSession(ports, token),
        ownOriginOnly(publicUrl),
        (operator) => actingAs(ports, operator),
      ),
      async (id) => !isRefused(await livingTenant(ports, id)),
    ),
  }
}

/** A request asks a few times in a row; a request that was not heard of for longer than that has died. */
const ASKS_IN_A_ROW = 4

export const composeIdempotency = (
  ports: Omit<IdempotencyPorts, 'runMs'>,
  askTimeoutMs: number,
): RunOncePerKey => {
  const all = { ...ports, runMs: askTimeoutMs * ASKS_IN_A_ROW }
  return (request, work) => runOncePerKey(all, request, work)
}

/** 256 MB at most: 100,000 keys that use all of their 300 a minute, or 900,000 wallets that call now and then. */
const TIMES_MAX = 33_554_432

/** A process that is alone counts in its memory; a cluster hands over windows that are one for all of its nodes. */
export const composeRateLimit = (
  runtime: Pick<Runtime, 'monotonicMs'>,
  rates: Config['rates'],
  windowsOver: (local: LocalRateWindows) => RateWindows = (local) => local,
): RateLimit => rateLimitOf(windowsOver(new LocalRateWindows(() => runtime.monotonicMs(), TIMES_MAX)), rates)
