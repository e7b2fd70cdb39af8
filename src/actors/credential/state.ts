import type { Change, Met } from '../../domain/exchange.ts'
import type { Refused } from '../../domain/refused.ts'

/**
 *   offer-sent ──request──▶ request-received ──delivered──▶ credential-issued ──ack──▶ done
 *       │ decline                  │                              │
 *       ▼                          ▼                              ▼
 *    declined                  abandoned ◀── 24 h of silence, a problem, a request that can't be signed
 */
export type CredentialStatus =
  | 'offer-sent'
  | 'request-received'
  | 'credential-issued'
  | 'done'
  | 'declined'
  | 'abandoned'

export type DefinitionReference = { readonly catalogueId: string; readonly ledgerId: string }

/** Facts of the offer. Times are milliseconds since 1970. `attributes` is null once the record is erased. */
type Facts = {
  readonly tenant: string
  readonly connectionId: string
  readonly externalId: string | null
  readonly definition: DefinitionReference
  readonly threadId: string
  /** Of the AnonCreds offer; with the definition it is all that the offer needs, so the offer is not stored. */
  readonly nonce: string
  readonly attributes: Readonly<Record<string, string>> | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly waitingSinceMs: number
  readonly sequence: number
}

export type OfferSent = Facts & { readonly status: 'offer-sent'; readonly delivered: boolean }
export type RequestReceived = Facts & {
  readonly status: 'request-received'
  readonly request: string | null
  /** Signed and committed, not yet delivered: from here on no other signature can leave for this exchange. */
  readonly credential: string | null
}
export type CredentialIssued = Facts & { readonly status: 'credential-issued' }
export type CredentialOver = Facts & {
  readonly status: 'done' | 'declined' | 'abandoned'
  readonly errorMessage: string | null
  /** What the holder is still to be told. */
  readonly problem: string | null
}
export type CredentialState =
  | { readonly status: 'none' }
  | OfferSent
  | RequestReceived
  | CredentialIssued
  | CredentialOver
export type CredentialRecord = Exclude<CredentialState, { status: 'none' }>

export type CredentialCommand =
  | ({ readonly type: 'OfferCredential'; readonly atMs: number } & Pick<
      Facts,
      'tenant' | 'connectionId' | 'externalId' | 'definition' | 'threadId' | 'nonce'
    > & { readonly attributes: Readonly<Record<string, string>> })
  | { readonly type: 'RecordOfferDelivered'; readonly atMs: number }
  | {
      readonly type: 'ReceiveCredentialRequest'
      readonly atMs: number
      readonly from: string
      readonly request: string
    }
  | { readonly type: 'RecordCredentialSigned'; readonly atMs: number; readonly credential: string }
  | { readonly type: 'RecordSigningRefused'; readonly atMs: number; readonly reason: string }
  | { readonly type: 'RecordCredentialDelivered'; readonly atMs: number }
  | { readonly type: 'ReceiveCredentialAck'; readonly atMs: number; readonly from: string }
  | {
      readonly type: 'ReceiveCredentialProblem'
      readonly atMs: number
      readonly from: string
      readonly code: string
      readonly text: string
    }
  | { readonly type: 'RecordProblemDelivered'; readonly atMs: number }
  | { readonly type: 'AbandonCredential'; readonly atMs: number }
  | { readonly type: 'ReadCredential' }

type Moved = { readonly atMs: number; readonly change: Change<CredentialStatus> }

export type CredentialEvent =
  | ({ readonly type: 'CredentialOffered' } & Moved &
      Omit<Facts, 'createdAtMs' | 'updatedAtMs' | 'waitingSinceMs' | 'sequence'>)
  | { readonly type: 'CredentialOfferDelivered'; readonly atMs: number }
  | ({ readonly type: 'CredentialRequested'; readonly request: string | null } & Moved & About)
  | { readonly type: 'CredentialSigned'; readonly atMs: number; readonly credential: string | null }
  | ({ readonly type: 'CredentialDelivered' } & Moved & About)
  | ({ readonly type: 'CredentialAcknowledged' } & Moved & About)
  | ({ readonly type: 'CredentialDeclined'; readonly errorMessage: string | null } & Moved & About)
  | ({
      readonly type: 'CredentialAbandoned'
      readonly errorMessage: string | null
      readonly problem: string | null
    } & Moved &
      About)
  | { readonly type: 'CredentialProblemDelivered'; readonly atMs: number }

/** What a webhook says beside the change, carried by every event that moves the record. */
export type About = Pick<Facts, 'tenant' | 'connectionId' | 'externalId'> & {
  readonly credentialDefinitionId: string
}

export type CredentialReply = { readonly credential: CredentialRecord } | Met | Refused

export type CredentialEffect =
  | { readonly id: string; readonly kind: 'deliver-offer'; readonly offer: OfferSent }
  | { readonly id: string; readonly kind: 'sign-credential'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'deliver-credential'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly over: CredentialOver }
