import type { Directory } from '../ports/directory.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import { deliveryBody } from '../actors/webhook-delivery/body.ts'
import { isGlobal } from '../egress/address.ts'
import { authenticateBearers } from '../http/callers/bearer-caller.ts'
import type { Config } from '../config/config.ts'
import type { Api } from '../actors/api.ts'
import { connectionRoutes } from '../actors/connection/routes.ts'
import { credentialRoutes } from '../actors/credential/routes.ts'
import { consoleOnlyRoutes } from '../actors/console-only-routes.ts'
import { didcommRoute } from '../actors/connection/didcomm-route.ts'
import { eventStreamRoutes } from '../actors/webhook-delivery/event-stream-route.ts'
import { invitationLinkRoute } from '../actors/invitation/link-route.ts'
import { type LedgerFacts, ledgerRoutes } from '../http/routes/ledger.ts'
import { type ClusterApi, operatorClusterRoutes } from '../http/routes/cluster.ts'
import { proofRoutes } from '../actors/proof/routes.ts'
import { webhookRoutes } from '../actors/webhook-endpoint/routes.ts'
import type { Heart } from './actor-runtime.ts'
import type { Part } from '../parts.ts'
import type { AccountPorts } from '../actors/account/account-ports.ts'
import { isKeyGood, ownerOfApiKey } from '../actors/api-key/commands.ts'
import { type CreateInvitationPorts, createInvitation, readInvitation } from '../actors/invitation/create.ts'
import { offerCredential } from '../actors/credential/offer.ts'
import { newRecordId, recordIdBesideConnection } from '../actors/ids.ts'
import { readRecord } from '../actors/read-record.ts'
import { type RequestProofPorts, requestProof } from '../actors/proof/request.ts'
import { ownerOfWalletToken } from '../actors/wallet/commands.ts'
import {
  readWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  setWebhookEndpoint,
} from '../actors/webhook-endpoint/commands.ts'
import { kinds } from '../actors/index.ts'
import type { ApiPorts } from '../actors/kind-ports.ts'
import type { CataloguePorts } from '../actors/command-ports.ts'
import { composeAccounts } from '../actors/account/compose.ts'
import { composeIdempotency, composeRateLimit } from './admission.ts'

export type ApiParts = {
  readonly config: Pick<Config, 'rates' | 'egress'> & {
    readonly http?: Pick<Config['http'], 'trustedProxies'>
  }
  readonly heart: Pick<Heart, 'vault' | 'runtime'>
  readonly useCases: CataloguePorts & RequestProofPorts & Pick<ApiPorts, 'identityOf' | 'activeTenants'>
  readonly wallets: Pick<CreateInvitationPorts, 'newKey' | 'invitationUrl'> & {
    readonly receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>
  }
  readonly people: AccountPorts
  readonly directory: Directory
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
): Required<Pick<Part, 'routes' | 'authenticate' | 'idempotency' | 'rateLimit'>> => {
  const { config, heart, useCases, wallets, people, ledger, publicUrl } = parts
  const api = apiOf(parts)
  const accounts = composeAccounts({
    ports: people,
    directory: parts.directory,
    activeTenants: useCases.activeTenants,
    publicUrl,
    trustedProxies: config.http?.trustedProxies ?? [],
  })
  const ports: ApiPorts = {
    ...useCases,
    runtime: heart.runtime,
    vault: heart.vault,
    directory: parts.directory,
    namespace: ledger.namespace,
  }
  return {
    routes: [
      ...connectionRoutes(api),
      ...credentialRoutes(api),
      ...proofRoutes(api),
      ...kinds.flatMap((kind) => kind.routes(ports)),
      ...webhookRoutes(api),
      ...eventStreamRoutes(api),
      ...ledgerRoutes(ledger, publicUrl),
      ...consoleOnlyRoutes,
      ...accounts.routes,
      ...operatorClusterRoutes(parts.cluster),
      didcommRoute(wallets.receive),
      invitationLinkRoute,
    ].map(accounts.rules),
    idempotency: composeIdempotency({
      ...heart,
      actors: useCases.actors,
      askTimeoutMs: useCases.askTimeoutMs,
    }),
    rateLimit: composeRateLimit(heart.runtime, config.rates),
    authenticate: accounts.authenticate(
      authenticateBearers({
        apiKey: (key) => ownerOfApiKey(useCases, key),
        walletToken: (token) => ownerOfWalletToken(useCases, token),
      }),
    ),
  }
}

const apiOf = (parts: ApiParts): Api => {
  const { config, heart, useCases, wallets, directory, ledger, feed } = parts
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
    events: {
      listen: (...asked) => feed.listen(...asked),
      bodyOf: (event) => deliveryBody(heart.vault, event.tenant, event),
      unreadable: parts.unreadableEvent,
      mayListen: (keyId) => isKeyGood(useCases, keyId),
    },
    webhook: {
      read: (tenant) => readWebhookEndpoint(webhook, tenant),
      set: (tenant, settings) => setWebhookEndpoint(webhook, tenant, settings, runtime.newId()),
      remove: (tenant) => removeWebhookEndpoint(webhook, tenant, runtime.newId()),
      rotate: (tenant, commandId) => rotateWebhookSecret(webhook, tenant, commandId),
    },
  }
}
