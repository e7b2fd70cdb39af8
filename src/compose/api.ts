import { actingAs, ownerOfSession } from '../actors/account/callers.ts'
import { withConsoleRules } from '../actors/account/console-rules.ts'
import { ownerOfApiKey } from '../actors/api-key/commands.ts'
import { consoleOnlyRoutes } from '../actors/console-only-routes.ts'
import type { Kind } from '../actors/define-kind.ts'
import type { ApiPorts } from '../actors/kind-ports.ts'
import { readTenant } from '../actors/tenant/read.ts'
import { ownerOfWalletToken } from '../actors/wallet/commands.ts'
import type { Config } from '../config/config.ts'
import type { Received } from '../didcomm/opened-envelope.ts'
import { isRefused } from '../domain/refused.ts'
import { authenticateBearers } from '../http/callers/bearer-caller.ts'
import { authenticateLocally } from '../http/callers/local-caller.ts'
import { authenticateCallers } from '../http/callers/session-caller.ts'
import { ownOriginOnly } from '../http/front-door/own-origin.ts'
import type { Route } from '../http/route/route.ts'
import { operatorClusterRoutes } from '../http/routes/cluster.ts'
import { didcommRoute } from '../http/routes/didcomm.ts'
import { type LedgerFacts, ledgerRoutes } from '../http/routes/ledger.ts'
import type { ClusterView } from '../ports/cluster.ts'
import { composeIdempotency, composeRateLimit } from './admission.ts'

export type ApiParts = {
  /** Whose routes are served, in the order in which they are described. */
  readonly kinds: readonly Kind[]
  readonly ports: ApiPorts
  readonly config: Pick<Config, 'rates'> & { readonly actors: Pick<Config['actors'], 'askTimeoutMs'> }
  readonly receive: (address: string, envelope: string) => Promise<Received>
  readonly ledger: LedgerFacts
  readonly cluster: ClusterView
  /** Orders about the lists, on the private port. */
  readonly listOrders: readonly Route[]
}

/** The routes of all kinds and of the platform, and who may call them. */
export const composeApi = ({ kinds, ports, config, receive, ledger, cluster, listOrders }: ApiParts) => {
  const { runtime, publicUrl } = ports
  const byRules = (route: Route): Route => withConsoleRules(route, ports)
  const bearers = authenticateBearers({
    apiKey: (key) => ownerOfApiKey(ports, key),
    walletToken: (token) => ownerOfWalletToken(ports, token),
  })
  return {
    routes: [
      ...kinds.flatMap((kind) => kind.routes(ports)),
      ...ledgerRoutes(ledger, publicUrl),
      ...consoleOnlyRoutes,
      ...operatorClusterRoutes(cluster),
      didcommRoute(receive),
    ].map(byRules),
    /** Those that the private port has beside the others. */
    localRoutes: [...kinds.flatMap((kind) => kind.localRoutes(ports)), ...listOrders].map(byRules),
    idempotency: composeIdempotency(ports, config.actors.askTimeoutMs),
    rateLimit: composeRateLimit(runtime, config.rates),
    authenticate: authenticateLocally(
      authenticateCallers(
        bearers,
        (token) => ownerOfSession(ports, token),
        ownOriginOnly(publicUrl),
        (operator) => actingAs(ports, operator),
      ),
      async (id) => !isRefused(await readTenant(ports, id)),
    ),
  }
}
