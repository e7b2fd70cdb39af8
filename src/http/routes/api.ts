import type { Directory } from '../../actors/directory-port.ts'
import type { ReadableKind } from '../../use-cases/read-record.ts'
import type { CreatedInvitation, InvitationOrder } from '../../use-cases/create-invitation.ts'
import type { CredentialOrder, OfferedCredential } from '../../use-cases/offer-credential.ts'
import type { ProofOrder } from '../../use-cases/request-proof.ts'
import type { Refused } from '../../domain/exchanges/change.ts'
import type { ProofRecord } from '../../domain/exchanges/proof-types.ts'

/** What the routes call; composed outside. */
export type Api = {
  readonly directory: Directory
  readonly namespace: string
  readonly read: <Value extends { readonly tenant: string }>(
    tenant: string,
    kind: ReadableKind,
    id: string,
  ) => Promise<Value | null>
  readonly createInvitation: (order: InvitationOrder) => Promise<CreatedInvitation | Refused>
  readonly offerCredential: (order: CredentialOrder) => Promise<OfferedCredential | Refused>
  readonly requestProof: (
    order: ProofOrder,
  ) => Promise<{ readonly id: string; readonly proof: ProofRecord } | Refused>
}
