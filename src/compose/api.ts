import type { Directory } from '../actors/directory-port.ts'
import { authenticateApiKeys } from '../http/api-key-caller.ts'
import type { Authenticate } from '../http/caller.ts'
import type { Route } from '../http/route.ts'
import type { Api } from '../http/routes/api.ts'
import { catalogueRoutes } from '../http/routes/catalogue.ts'
import { connectionRoutes } from '../http/routes/connections.ts'
import { credentialRoutes } from '../http/routes/credentials.ts'
import { didcommRoute } from '../http/routes/didcomm.ts'
import { invitationLinkRoute } from '../http/routes/invitation-link.ts'
import { type LedgerFacts, ledgerRoutes } from '../http/routes/ledger.ts'
import { proofRoutes } from '../http/routes/proofs.ts'
import { ownerOfApiKey } from '../use-cases/api-keys.ts'
import { type CreateInvitationPorts, createInvitation } from '../use-cases/create-invitation.ts'
import { offerCredential } from '../use-cases/offer-credential.ts'
import { readRecord } from '../use-cases/read-record.ts'
import { requestProof } from '../use-cases/request-proof.ts'
import type { CataloguePorts } from '../use-cases/use-case-ports.ts'

export type ApiParts = {
  readonly useCases: CataloguePorts
  readonly wallets: Pick<CreateInvitationPorts, 'newKey' | 'invitationUrl'> & {
    readonly receive: (address: string, envelope: string) => Promise<'accepted' | 'refused'>
  }
  readonly directory: Directory
  readonly ledger: LedgerFacts
  readonly publicUrl: () => string
}

/** Routes over use-cases, and who may call them. */
export const composeApi = ({
  useCases,
  wallets,
  directory,
  ledger,
  publicUrl,
}: ApiParts): { readonly routes: readonly Route[]; readonly authenticate: Authenticate } => {
  const api: Api = {
    directory,
    namespace: ledger.namespace,
    read: (tenant, kind, id) => readRecord(useCases, tenant, kind, id),
    createInvitation: (order) => createInvitation({ ...useCases, ...wallets }, order),
    offerCredential: (order) => offerCredential(useCases, order),
    requestProof: (order) => requestProof(useCases, order),
  }
  return {
    routes: [
      ...connectionRoutes(api),
      ...credentialRoutes(api),
      ...proofRoutes(api),
      ...catalogueRoutes(api),
      ...ledgerRoutes(ledger, publicUrl),
      didcommRoute(wallets.receive),
      invitationLinkRoute,
    ],
    authenticate: authenticateApiKeys((key) => ownerOfApiKey(useCases, key)),
  }
}
