import type { Directory } from '../actors/directory-port.ts'
import type { EventFeed } from '../actors/feed-port.ts'
import { deliveryBody } from '../actors/webhooks/delivery-body.ts'
import { isGlobal } from '../egress/address.ts'
import { authenticateBearers } from '../http/bearer-caller.ts'
import type { Config } from '../config/config.ts'
import type { Api } from '../http/routes/api.ts'
import { catalogueRoutes } from '../http/routes/catalogue.ts'
import { connectionRoutes } from '../http/routes/connections.ts'
import { credentialRoutes } from '../http/routes/credentials.ts'
import { consoleOnlyRoutes } from '../http/routes/console-only.ts'
import { dataRetentionRoutes } from '../http/routes/data-retention.ts'
import { didcommRoute } from '../http/routes/didcomm.ts'
import { eventStreamRoutes } from '../http/routes/event-stream.ts'
import { invitationLinkRoute } from '../http/routes/invitation-link.ts'
import { type LedgerFacts, ledgerRoutes } from '../http/routes/ledger.ts'
import { operatorApiKeyRoutes } from '../http/routes/operator/api-keys.ts'
import { type ClusterApi, operatorClusterRoutes } from '../http/routes/operator/cluster.ts'
import { operatorTenantRoutes } from '../http/routes/operator/tenants.ts'
import { proofTemplateRoutes } from '../http/routes/proof-templates.ts'
import { proofRoutes } from '../http/routes/proofs.ts'
import { walletRoutes } from '../http/routes/wallets.ts'
import { webhookRoutes } from '../http/routes/webhook.ts'
import type { Heart } from '../heart.ts'
import type { Part } from '../parts.ts'
import type { AccountPorts } from '../use-cases/accounts/account-ports.ts'
import { isKeyGood, ownerOfApiKey } from '../use-cases/api-keys.ts'
import {
  type CreateInvitationPorts,
  createInvitation,
  readInvitation,
} from '../use-cases/create-invitation.ts'
import type { CreateTenantPorts } from '../use-cases/create-tenant.ts'
import { offerCredential } from '../use-cases/offer-credential.ts'
import { newRecordId, recordIdBesideConnection } from '../use-cases/ids.ts'
import { archiveProofTemplate, createProofTemplate, editProofTemplate } from '../use-cases/proof-templates.ts'
import { readRecord } from '../use-cases/read-record.ts'
import { type RequestProofPorts, requestProof } from '../use-cases/request-proof.ts'
import { readRetention, setRetention } from '../use-cases/retention.ts'
import { issueWalletToken, ownerOfWalletToken, revokeWallet } from '../use-cases/wallets.ts'
import {
  readWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  setWebhookEndpoint,
} from '../use-cases/webhook-endpoint.ts'
import type { TenantStanding } from '../use-cases/tenant-standing.ts'
import type { CataloguePorts } from '../use-cases/use-case-ports.ts'
import { composeAccounts } from './accounts.ts'
import { composeIdempotent, composeRateLimit } from './admission.ts'
import { operatorApi } from './organisations.ts'

export type ApiParts = {
  readonly config: Pick<Config, 'rates' | 'egress'> & {
    readonly http?: Pick<Config['http'], 'trustedProxies'>
  }
  readonly heart: Pick<Heart, 'vault' | 'runtime'>
  readonly useCases: CataloguePorts & CreateTenantPorts & RequestProofPorts
  readonly wallets: Pick<CreateInvitationPorts, 'newKey' | 'invitationUrl'> & {
    readonly receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>
  }
  readonly people: AccountPorts
  readonly directory: Directory
  readonly standing: TenantStanding
  readonly feed: EventFeed
  /** Told of an event that no stream can tell. */
  readonly unreadableEvent: Api['events']['unreadable']
  readonly ledger: LedgerFacts
  readonly cluster: ClusterApi
  readonly publicUrl: () => string
}

/** Routes over use-cases, and who may call them. */
export const composeApi = (
  parts: ApiParts,
): Required<Pick<Part, 'routes' | 'authenticate' | 'idempotent' | 'rateLimit'>> => {
  const { config, heart, useCases, wallets, people, ledger, publicUrl } = parts
  const api = apiOf(parts)
  const operators = operatorApi(useCases, parts.directory, parts.standing)
  const accounts = composeAccounts({
    ports: people,
    directory: parts.directory,
    standing: parts.standing,
    publicUrl,
    trustedProxies: config.http?.trustedProxies ?? [],
  })
  return {
    routes: [
      ...connectionRoutes(api),
      ...credentialRoutes(api),
      ...proofRoutes(api),
      ...catalogueRoutes(api),
      ...proofTemplateRoutes(api),
      ...walletRoutes(api),
      ...webhookRoutes(api),
      ...eventStreamRoutes(api),
      ...dataRetentionRoutes(api),
      ...ledgerRoutes(ledger, publicUrl),
      ...consoleOnlyRoutes,
      ...accounts.routes,
      ...operatorTenantRoutes(operators),
      ...operatorApiKeyRoutes(operators),
      ...operatorClusterRoutes(parts.cluster),
      didcommRoute(wallets.receive),
      invitationLinkRoute,
    ].map(accounts.rules),
    idempotent: composeIdempotent({ ...heart, actors: useCases.actors, askTimeoutMs: useCases.askTimeoutMs }),
    rateLimit: composeRateLimit(heart.runtime, config.rates),
    authenticate: accounts.authenticate(
      authenticateBearers({
        apiKey: (key) => ownerOfApiKey(useCases, parts.standing, key),
        walletToken: (token) => ownerOfWalletToken(useCases, token),
      }),
    ),
  }
}

const apiOf = (parts: ApiParts): Api => {
  const { config, heart, useCases, wallets, directory, ledger, feed, standing } = parts
  const { runtime } = useCases
  const invitations = { ...useCases, ...wallets }
  const webhook = {
    ...useCases,
    vault: heart.vault,
    allowPrivateTargets: config.egress.allowPrivateTargets,
    isPublicAddress: isGlobal,
  }
  return {
    directory,
    namespace: ledger.namespace,
    read: (tenant, kind, id) => readRecord(useCases, tenant, kind, id),
    newId: {
      of: (kind) => newRecordId(kind, runtime),
      beside: (kind, connectionId) => recordIdBesideConnection(kind, connectionId, runtime),
    },
    now: () => runtime.now(),
    createInvitation: (order) => createInvitation(invitations, order),
    readInvitation: (tenant, id) => readInvitation(invitations, tenant, id),
    offerCredential: (order) => offerCredential(useCases, order),
    requestProof: (order) => requestProof(useCases, order),
    issueWalletToken: (order) => issueWalletToken({ ...useCases, vault: heart.vault }, order),
    revokeWallet: (tenant, id) => revokeWallet(useCases, tenant, id),
    createProofTemplate: (content, id) => createProofTemplate(useCases, content, id),
    editProofTemplate: (tenant, id, changes) => editProofTemplate(useCases, tenant, id, changes),
    archiveProofTemplate: (tenant, id) => archiveProofTemplate(useCases, tenant, id),
    readRetention: (tenant) => readRetention(useCases, tenant),
    setRetention: (tenant, retentionDays) => setRetention(useCases, tenant, retentionDays),
    events: {
      listen: (...asked) => feed.listen(...asked),
      bodyOf: (event) => deliveryBody(heart.vault, event.tenant, event),
      unreadable: parts.unreadableEvent,
      mayListen: (keyId) => isKeyGood(useCases, standing, keyId),
    },
    webhook: {
      read: (tenant) => readWebhookEndpoint(webhook, tenant),
      set: (tenant, settings) => setWebhookEndpoint(webhook, tenant, settings, runtime.newId()),
      remove: (tenant) => removeWebhookEndpoint(webhook, tenant, runtime.newId()),
      rotate: (tenant, commandId) => rotateWebhookSecret(webhook, tenant, commandId),
    },
  }
}
