import type { BodyReference } from '../../domain/body-reference.ts'
import type { EndCommand, EndEvent } from '../../domain/endings.ts'
import type { Change, ExchangeTimes } from '../../domain/exchange.ts'
import type {
  AbandonForFaceCheck,
  CheckToTell,
  FaceChecked,
  RecordFaceCheck,
} from '../../domain/face-check.ts'
import type { Failed } from '../../domain/failures.ts'
import type { LastWord } from '../../domain/last-word.ts'
import type { Prefixed } from '../../domain/message-prefix.ts'
import type { Opening } from '../../domain/opening.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'

export type DefinitionReference = { readonly catalogueId: string; readonly ledgerId: string }

/** What was offered. `attributes` is null once the record is erased. */
type Offer = {
  readonly tenant: string
  readonly connectionId: string
  readonly externalId: string | null
  readonly definition: DefinitionReference
  readonly threadId: string
  /** The nonce of the AnonCreds offer; with the definition it is all that the offer needs, so the offer is not stored. */
  readonly nonce: string
  readonly attributes: Readonly<Record<string, string>> | null
} & FaceChecked

type Facts = Offer & ExchangeTimes & Prefixed

/**
 *   offer-sent ──request──▶ request-received ──delivered──▶ credential-issued ──ack──▶ done
 *       │ decline, a proposal      │                              │
 *       ▼                          ▼                              ▼
 *    declined                  abandoned ◀── 24 h of silence, a problem, a request that can't be signed
 *
 * Where there is a face check nothing is signed before it has been passed.
 */
export type OfferSent = Facts & { readonly status: 'offer-sent' } & Opening
export type RequestReceived = Facts & {
  readonly status: 'request-received'
  readonly request: BodyReference | null
  /** The one in which it was requested, and so is issued; left out in records of before there were two. */
  readonly format?: WalletFormat
  /** The offer went out in both formats; left out where it did not. */
  readonly openedTwice?: boolean
  /** Signed and committed, not yet delivered: from here on no other signature can leave for this exchange. */
  readonly credential: BodyReference | null
} & CheckToTell
export type CredentialIssued = Facts &
  Pick<RequestReceived, 'credential' | 'openedTwice'> & { readonly status: 'credential-issued' }
export type CredentialOver = Facts & {
  readonly status: 'done' | 'declined' | 'abandoned'
  readonly errorMessage: string | null
  readonly lastWord: LastWord | null
  readonly checkToEnd?: boolean
}
export type CredentialRecord = OfferSent | RequestReceived | CredentialIssued | CredentialOver
export type CredentialStatus = CredentialRecord['status']
export type Timed = { readonly atMs: number }
type FromHolder = Timed & Prefixed & { readonly from: string }

export type CredentialCommand =
  | ({ readonly type: 'OfferCredential' } & Timed & Offer & { readonly attributes: object })
  | ({ readonly type: 'RecordOfferDelivered' } & Timed & Pick<Opening, 'otherAtMs'>)
  /** The wallet is silent, and may read the other format alone. */
  | ({ readonly type: 'OfferInOtherFormat' } & Timed)
  | ({ readonly type: 'ReceiveCredentialRequest' } & Pick<RequestReceived, 'request' | 'format'> & FromHolder)
  | ({ readonly type: 'RecordCredentialSigned'; readonly credential: BodyReference } & Timed)
  | ({ readonly type: 'RecordSigningRefused'; readonly reason: string } & Timed)
  | ({ readonly type: 'RecordCredentialDelivered' } & Timed)
  | ({ readonly type: 'ReceiveCredentialAck' } & FromHolder)
  | ({ readonly type: 'ReceiveCredentialProposal' } & FromHolder)
  | ({ readonly type: 'ReceiveCredentialProblem'; readonly code: string; readonly text: string } & FromHolder)
  | RecordFaceCheck
  | AbandonForFaceCheck
  | EndCommand
  | ({ readonly type: 'AbandonCredential' } & Timed)

export type Moved = Timed & { readonly change: Change<CredentialStatus> } & About
export type Over = Moved & Failed & { readonly errorMessage: string | null; readonly problem: string | null }

export type CredentialEvent =
  | ({ readonly type: 'CredentialOffered' } & Timed & Pick<Moved, 'change'> & Offer)
  | ({ readonly type: 'CredentialOfferDelivered'; readonly otherAtMs: number | null } & Timed)
  | ({ readonly type: 'CredentialOfferUnread' } & Timed)
  | ({
      readonly type: 'CredentialRequested'
      readonly request: BodyReference
      readonly format: WalletFormat
    } & Moved &
      Prefixed)
  | ({ readonly type: 'CredentialSigned'; readonly credential: BodyReference } & Timed)
  | ({ readonly type: 'CredentialFaceChecked' } & Moved)
  | ({ readonly type: 'CredentialDelivered' } & Moved)
  | ({ readonly type: 'CredentialAcknowledged' } & Moved)
  | ({ readonly type: 'CredentialDeclined' } & Over & Prefixed)
  | ({ readonly type: 'CredentialAbandoned' } & Over)
  | EndEvent

/** What a webhook says beside the change, carried by every event that moves the record. */
export type About = Pick<Facts, 'tenant' | 'connectionId' | 'externalId' | keyof FaceChecked> & {
  readonly credentialDefinitionId: string
}

export type CredentialEffect =
  | { readonly id: string; readonly kind: 'deliver-offer'; readonly offer: OfferSent }
  | { readonly id: string; readonly kind: 'tell-of-check'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'sign-credential'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'deliver-credential'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly over: CredentialOver }
  | { readonly id: string; readonly kind: 'end-face-check'; readonly over: CredentialOver }
