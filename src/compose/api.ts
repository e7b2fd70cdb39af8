import type { Directory } from '../ports/directory.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import { authenticateBearers } from '../http/callers/bearer-caller.ts'
import { authenticateCallers } from '../http/callers/session-caller.ts'
import { ownOriginOnly } from '../http/front-door/own-origin.ts'
import { clientAddressBehind } from '../http/server/client-address.ts'
import type { Config } from '../config/config.ts'
import { consoleOnlyRoutes } from '../actors/console-only-routes.ts'
import { didcommRoute } from '../http/routes/didcomm.ts'
import { type LedgerFacts, ledgerRoutes } from '../http/routes/ledger.ts'
import type { ClusterView } from '../ports/cluster.ts'
import { operatorClusterRoutes } from '../http/routes/cluster.ts'
import type { Heart } from './actor-runtime.ts'
import type { Part } from '../parts.ts'
import { actingAs, ownerOfSession } from '../actors/account/callers.ts'
import { withConsoleRules } from '../actors/account/console-rules.ts'
import type { Passwords } from '../actors/account/passwords.ts'
import { ownerOfApiKey } from '../actors/api-key/commands.ts'
import { newSignInCounts } from '../actors/sign-in-lockout/attempt-counts.ts'
import { ownerOfWalletToken } from '../actors/wallet/commands.ts'
import type { Kind } from '../actors/define-kind.ts'
import type { ApiPorts } from '../actors/kind-ports.ts'
import { composeIdempotency, composeRateLimit } from './admission.ts'
import { readTenant } from '../actors/tenant/read.ts'
import { publishingOrders } from '../actors/credential-definition/orders.ts'
import { authenticateLocally } from '../http/callers/local-caller.ts'
import { isRefused } from '../domain/refused.ts'
import type { Route } from '../http/route/route.ts'

export type ApiParts = {
  /** Whose routes are served, in the order in which they are described. */
  readonly kinds: readonly Kind[]
  readonly config: Pick<Config, 'rates' | 'egress'> & {
    readonly actors: Pick<Config['actors'], 'askTimeoutMs'>
  } & {
    readonly http?: Pick<Config['http'], 'trustedProxies'>
  }
  readonly heart: Pick<Heart, 'vault' | 'runtime'>
  readonly useCases: Pick<
    ApiPorts,
    'actors' | 'runtime' | 'catalogue' | 'newNonce' | 'identityOf' | 'activeTenants' | 'tokenTags'
  >
  readonly receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>
  readonly personalData: ApiPorts['personalData']
  readonly passwords: Pick<Passwords, 'hash' | 'verify' | 'inSteps'>
  readonly directory: Directory
  readonly feed: EventFeed
  /** Called for an event that cannot be shown in a stream. */
  readonly unreadableEvent: ApiPorts['unreadableEvent']
  readonly eventTypes: readonly string[]
  readonly ledger: LedgerFacts
  readonly cluster: ClusterView
  /** Orders about the lists, on the private port. */
  readonly listOrders?: readonly Route[]
  readonly publicUrl: () => string
}

/** The routes of all kinds and of the platform, and who may call them. */
export const composeApi = (
  parts: ApiParts,
): Required<Pick<Part, 'routes' | 'localRoutes' | 'authenticate' | 'idempotency' | 'rateLimit'>> => {
  const { config, heart, useCases, ledger, publicUrl } = parts
  const ports: ApiPorts = {
    ...useCases,
    runtime: heart.runtime,
    vault: heart.vault,
    directory: parts.directory,
    namespace: ledger.namespace,
    passwords: parts.passwords,
    signInCounts: newSignInCounts(),
    clientAddress: clientAddressBehind(config.http?.trustedProxies ?? []),
    personalData: parts.personalData,
    publicUrl,
    feed: parts.feed,
    unreadableEvent: parts.unreadableEvent,
    eventTypes: parts.eventTypes,
    allowPrivateTargets: config.egress.allowPrivateTargets,
  }
  const byRules = (route: Route): Route => withConsoleRules(route, ports)
  const bearers = authenticateBearers({
    apiKey: (key) => ownerOfApiKey(useCases, key),
    walletToken: (token) => ownerOfWalletToken(useCases, token),
  })
  return {
    routes: [
      ...parts.kinds.flatMap((kind) => kind.routes(ports)),
      ...ledgerRoutes(ledger, publicUrl),
      ...consoleOnlyRoutes,
      ...operatorClusterRoutes(parts.cluster),
      didcommRoute(parts.receive),
    ].map(byRules),
    localRoutes: [...publishingOrders(ports), ...(parts.listOrders ?? [])].map(byRules),
    idempotency: composeIdempotency({ ...heart, actors: useCases.actors }, config.actors.askTimeoutMs),
    rateLimit: composeRateLimit(heart.runtime, config.rates),
    authenticate: authenticateLocally(
      authenticateCallers(
        bearers,
        (token) => ownerOfSession(ports, token),
        ownOriginOnly(publicUrl),
        (operator) => actingAs(ports, operator),
      ),
      async (id) => !isRefused(await readTenant(useCases, id)),
    ),
  }
}
