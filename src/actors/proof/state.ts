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

/** Disclosed values by requested group. */
export type Disclosed = Readonly<Record<string, Readonly<Record<string, string>>>>

type Request = {
  readonly tenant: string
  readonly connectionId: string
  readonly externalId: string | null
  readonly proofTemplateId: string
  readonly threadId: string
  /** The AnonCreds proof request as JSON, relative dates resolved: what was asked is what is checked. */
  readonly request: string
} & FaceChecked
/** What was asked is kept until the exchange is over. */
export type Facts = Omit<Request, 'request'> & ExchangeTimes & Prefixed
type Asked = Facts & Pick<Request, 'request'>

/**
 *   request-sent ──presentation──▶ presentation-received ──verified──▶ done
 *       │ decline, a proposal              │
 *       ▼                                  ▼
 *    declined                          abandoned ◀── 24 h of silence, a problem
 *
 * Where there is a face check, what was verified is held until it has been passed.
 */
export type RequestSent = Asked & { readonly status: 'request-sent' } & Opening
export type PresentationReceived = Asked & {
  readonly status: 'presentation-received'
  /** Deleted with the verification; null from then on. */
  readonly presentation: BodyReference | null
  /** What was verified, as long as the face check holds it back; left out where there is none. */
  readonly result?: BodyReference | null
} & CheckToTell
export type ProofDone = Facts & {
  readonly status: 'done'
  readonly verified: boolean
  readonly disclosed: Disclosed | null
  readonly lastWord: LastWord | null
}
export type ProofEnded = Facts & {
  readonly status: 'declined' | 'abandoned'
  readonly errorMessage: string | null
  readonly lastWord: LastWord | null
  readonly checkToEnd?: boolean
}
export type ProofRecord = RequestSent | PresentationReceived | ProofDone | ProofEnded

export type ProofStatus = ProofRecord['status']

export type Timed = { readonly atMs: number }
type FromHolder = Timed & Prefixed & { readonly from: string }

export type ProofCommand =
  | ({ readonly type: 'RequestProof' } & Timed & Request)
  | ({ readonly type: 'RecordProofRequestDelivered' } & Timed & Pick<Opening, 'otherAtMs'>)
  /** The wallet is silent, and may read the other format alone. */
  | ({ readonly type: 'RequestInOtherFormat' } & Timed)
  | ({ readonly type: 'ReceivePresentation'; readonly presentation: BodyReference | null } & FromHolder)
  | ({
      readonly type: 'RecordProofVerified'
      readonly verified: boolean
      readonly disclosed: Disclosed
    } & Timed)
  /** The face check holds it back, so it is kept beside the journal. */
  | ({ readonly type: 'RecordProofHeld'; readonly result: BodyReference } & Timed)
  | ({ readonly type: 'ReceiveProofProposal' } & FromHolder)
  | ({ readonly type: 'ReceiveProofProblem'; readonly code: string; readonly text: string } & FromHolder)
  | RecordFaceCheck
  | AbandonForFaceCheck
  | EndCommand
  | ({ readonly type: 'AbandonProof' } & Timed)

/** What a webhook says beside the change, carried by every event that moves the record. */
type About = Pick<Facts, 'tenant' | 'connectionId' | 'externalId' | 'proofTemplateId' | keyof FaceChecked>
export type Moved = Timed & { readonly change: Change<ProofStatus> } & About
export type Over = Moved & Failed & { readonly errorMessage: string | null; readonly problem: string | null }

export type ProofEvent =
  | ({ readonly type: 'ProofRequested' } & Timed & Pick<Moved, 'change'> & Request)
  | ({ readonly type: 'ProofRequestDelivered'; readonly otherAtMs: number | null } & Timed)
  | ({ readonly type: 'ProofRequestUnread' } & Timed)
  | ({ readonly type: 'PresentationReceived'; readonly presentation: BodyReference } & Moved & Prefixed)
  | ({
      readonly type: 'ProofVerified'
      readonly verified: boolean
      readonly disclosed: Disclosed | null
    } & Moved)
  | ({ readonly type: 'ProofHeld'; readonly result: BodyReference } & Timed)
  | ({ readonly type: 'ProofFaceChecked' } & Moved)
  | ({ readonly type: 'ProofDeclined' } & Over & Prefixed)
  | ({ readonly type: 'ProofAbandoned' } & Over)
  | EndEvent

export type ProofEffect =
  | { readonly id: string; readonly kind: 'deliver-proof-request'; readonly asked: RequestSent }
  | { readonly id: string; readonly kind: 'tell-of-check'; readonly received: PresentationReceived }
  | { readonly id: string; readonly kind: 'verify-presentation'; readonly received: PresentationReceived }
  | { readonly id: string; readonly kind: 'release-result'; readonly received: PresentationReceived }
  | { readonly id: string; readonly kind: 'deliver-proof-ack'; readonly done: ProofDone }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly ended: ProofEnded }
  | { readonly id: string; readonly kind: 'end-face-check'; readonly ended: ProofEnded }
