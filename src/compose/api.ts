import type { Directory } from '../ports/directory.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import { authenticateBearers } from '../http/callers/bearer-caller.ts'
import type { Config } from '../config/config.ts'
import type { Api } from '../actors/api.ts'
import { catalogueRoutes } from '../actors/credential-definition/routes.ts'
import { consoleOnlyRoutes } from '../actors/console-only-routes.ts'
import { dataRetentionRoutes } from '../actors/tenant/retention-routes.ts'
import { didcommRoute } from '../http/routes/didcomm.ts'
import { type LedgerFacts, ledgerRoutes } from '../http/routes/ledger.ts'
import { operatorApiKeyRoutes } from '../actors/api-key/routes.ts'
import type { ClusterView } from '../ports/cluster.ts'
import { operatorClusterRoutes } from '../http/routes/cluster.ts'
import { operatorTenantRoutes } from '../actors/tenant/routes.ts'
import { proofTemplateRoutes } from '../actors/proof-template/routes.ts'
import { walletRoutes } from '../actors/wallet/routes.ts'
import type { Heart } from './actor-runtime.ts'
import type { Part } from '../parts.ts'
import type { AccountPorts } from '../actors/account/account-ports.ts'
import { isKeyGood, ownerOfApiKey } from '../actors/api-key/commands.ts'
import type { CreateTenantPorts } from '../actors/tenant/create.ts'
import { newRecordId } from '../actors/ids.ts'
import {
  archiveProofTemplate,
  createProofTemplate,
  editProofTemplate,
} from '../actors/proof-template/commands.ts'
import { readRecord } from '../actors/read-record.ts'
import { readRetention, setRetention } from '../actors/tenant/retention.ts'
import { issueWalletToken, ownerOfWalletToken, revokeWallet } from '../actors/wallet/commands.ts'
import type { TenantStanding } from '../actors/tenant/active-tenants.ts'
import { kinds } from '../actors/index.ts'
import type { ApiPorts } from '../actors/kind-ports.ts'
import type { CataloguePorts } from '../actors/command-ports.ts'
import { composeAccounts } from '../actors/account/compose.ts'
import { composeIdempotency, composeRateLimit } from './admission.ts'
import { operatorApi } from '../actors/tenant/operator-api.ts'
import { readTenant } from '../actors/tenant/read.ts'
import { publishingOrders } from '../actors/credential-definition/orders.ts'
import { authenticateLocally } from '../http/callers/local-caller.ts'
import { isRefused } from '../domain/refused.ts'
import type { Route } from '../http/route/route.ts'

export type ApiParts = {
  readonly config: Pick<Config, 'rates' | 'egress'> & {
    readonly http?: Pick<Config['http'], 'trustedProxies'>
  }
  readonly heart: Pick<Heart, 'vault' | 'runtime'>
  readonly useCases: CataloguePorts & CreateTenantPorts & Pick<ApiPorts, 'newNonce'>
  readonly receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>
  readonly personalData: ApiPorts['personalData']
  readonly people: AccountPorts
  readonly directory: Directory
  readonly standing: TenantStanding
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

/** Routes over use-cases, and who may call them. */
export const composeApi = (
  parts: ApiParts,
): Required<Pick<Part, 'routes' | 'localRoutes' | 'authenticate' | 'idempotency' | 'rateLimit'>> => {
  const { config, heart, useCases, people, ledger, publicUrl } = parts
  const api = apiOf(parts)
  const operators = operatorApi(useCases, parts.directory, parts.standing)
  const accounts = composeAccounts({
    ports: people,
    directory: parts.directory,
    standing: parts.standing,
    publicUrl,
    trustedProxies: config.http?.trustedProxies ?? [],
  })
  const ports: ApiPorts = {
    ...useCases,
    runtime: heart.runtime,
    vault: heart.vault,
    directory: parts.directory,
    namespace: ledger.namespace,
    personalData: parts.personalData,
    publicUrl,
    feed: parts.feed,
    unreadableEvent: parts.unreadableEvent,
    isKeyGood: (keyId) => isKeyGood(useCases, parts.standing, keyId),
    eventTypes: parts.eventTypes,
    allowPrivateTargets: config.egress.allowPrivateTargets,
  }
  return {
    routes: [
      ...kinds.flatMap((kind) => kind.routes(ports)),
      ...catalogueRoutes(api),
      ...proofTemplateRoutes(api),
      ...walletRoutes(api),
      ...dataRetentionRoutes(api),
      ...ledgerRoutes(ledger, publicUrl),
      ...consoleOnlyRoutes,
      ...accounts.routes,
      ...operatorTenantRoutes(operators),
      ...operatorApiKeyRoutes(operators),
      ...operatorClusterRoutes(parts.cluster),
      didcommRoute(parts.receive),
    ].map(accounts.rules),
    localRoutes: [...publishingOrders(useCases, ledger.namespace), ...(parts.listOrders ?? [])].map(
      accounts.rules,
    ),
    idempotency: composeIdempotency({ ...heart, actors: useCases.actors }, useCases.askTimeoutMs),
    rateLimit: composeRateLimit(heart.runtime, config.rates),
    authenticate: authenticateLocally(
      accounts.authenticate(
        authenticateBearers({
          apiKey: (key) => ownerOfApiKey(useCases, parts.standing, key),
          walletToken: (token) => ownerOfWalletToken(useCases, token),
        }),
      ),
      async (id) => !isRefused(await readTenant(useCases, id)),
    ),
  }
}

const apiOf = (parts: ApiParts): Api => {
  const { heart, useCases, directory, ledger } = parts
  const { runtime } = useCases
  return {
    directory,
    namespace: ledger.namespace,
    read: (tenant, kind, id) => readRecord(useCases, tenant, kind, id),
    newId: {
      of: (kind) => newRecordId(kind, runtime),
    },
    now: () => runtime.now(),
    issueWalletToken: (order) => issueWalletToken({ ...useCases, vault: heart.vault }, order),
    revokeWallet: (tenant, id) => revokeWallet(useCases, tenant, id),
    createProofTemplate: (content, id) => createProofTemplate(useCases, content, id),
    editProofTemplate: (tenant, id, changes) => editProofTemplate(useCases, tenant, id, changes),
    archiveProofTemplate: (tenant, id) => archiveProofTemplate(useCases, tenant, id),
    readRetention: (tenant) => readRetention(useCases, tenant),
    setRetention: (tenant, retentionDays) => setRetention(useCases, tenant, retentionDays),
  }
}
