import type { Directory } from '../ports/directory.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import type { PublicEvent } from '../ports/publication.ts'
import type { ReadableKind } from './read-record.ts'
import type { CreatedInvitation, InvitationOrder } from './invitation/create.ts'
import type { OfferCredentialOrder, OfferedCredential } from './credential/offer.ts'
import type { RequestProofOrder } from './proof/request.ts'
import type { WebhookEndpointAnswer, WebhookSettings } from './webhook-endpoint/commands.ts'
import type { Refused } from '../domain/refused.ts'
import type { ProofRecord } from './proof/state.ts'

/** What the routes call; composed outside. */
export type Api = {
  readonly directory: Directory
  readonly namespace: string
  readonly read: <Value extends { readonly tenant: string }>(
    tenant: string,
    kind: ReadableKind,
    id: string,
  ) => Value | null | Promise<Value | null>
  readonly newId: {
    /** Of a record by itself. */
    readonly of: (kind: string) => string
    /** Of an exchange, which lives where its connection does. */
    readonly beside: (kind: string, connectionId: string) => string
  }
  readonly now: () => number
  readonly createInvitation: (order: InvitationOrder) => Promise<CreatedInvitation | Refused>
  readonly readInvitation: (tenant: string, id: string) => Promise<CreatedInvitation | null>
  readonly offerCredential: (order: OfferCredentialOrder) => Promise<OfferedCredential | Refused>
  readonly requestProof: (
    order: RequestProofOrder,
  ) => Promise<{ readonly id: string; readonly proof: ProofRecord } | Refused>
  readonly events: EventFeed & {
    /** What a webhook would get. */
    readonly bodyOf: (event: PublicEvent) => Promise<string>
    /** A stream goes on without it. */
    readonly unreadable: (event: PublicEvent, error: unknown) => void
    /** False once the key is revoked or its organisation suspended. */
    readonly mayListen: (keyId: string) => Promise<boolean>
  }
  readonly webhook: {
    readonly read: (tenant: string) => Promise<WebhookEndpointAnswer>
    readonly set: (tenant: string, settings: WebhookSettings) => Promise<WebhookEndpointAnswer>
    readonly remove: (tenant: string) => Promise<WebhookEndpointAnswer>
    readonly rotate: (tenant: string, commandId: string) => Promise<WebhookEndpointAnswer>
  }
}
