import type { Change, Met } from '../../domain/exchange.ts'
import type { Refused } from '../../domain/refused.ts'

/**
 *   request-sent ──presentation──▶ presentation-received ──verified──▶ done
 *       │ decline                          │
 *       ▼                                  ▼
 *    declined                          abandoned ◀── 24 h of silence, a problem
 */
export type ProofStatus = 'request-sent' | 'presentation-received' | 'done' | 'declined' | 'abandoned'

/** Disclosed values by requested group. */
export type Disclosed = Readonly<Record<string, Readonly<Record<string, string>>>>

type Facts = {
  readonly tenant: string
  readonly connectionId: string
  readonly externalId: string | null
  readonly proofTemplateId: string
  readonly threadId: string
  /** The AnonCreds proof request as JSON, relative dates resolved: what was asked is what is checked. */
  readonly request: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly waitingSinceMs: number
  readonly sequence: number
}

export type RequestSent = Facts & { readonly status: 'request-sent'; readonly delivered: boolean }
export type PresentationReceived = Facts & {
  readonly status: 'presentation-received'
  /** JSON; dropped with the verification. Null when it was erased. */
  readonly presentation: string | null
}
export type ProofDone = Facts & {
  readonly status: 'done'
  readonly verified: boolean
  readonly disclosed: Disclosed | null
  /** The holder is still to be told that its presentation arrived. */
  readonly ackOwed: boolean
}
export type ProofEnded = Facts & {
  readonly status: 'declined' | 'abandoned'
  readonly errorMessage: string | null
  readonly problem: string | null
}
export type ProofState =
  | { readonly status: 'none' }
  | RequestSent
  | PresentationReceived
  | ProofDone
  | ProofEnded
export type ProofRecord = Exclude<ProofState, { status: 'none' }>

type Asked = Pick<
  Facts,
  'tenant' | 'connectionId' | 'externalId' | 'proofTemplateId' | 'threadId' | 'request'
>

export type ProofCommand =
  | ({ readonly type: 'RequestProof'; readonly atMs: number } & Asked)
  | { readonly type: 'RecordProofRequestDelivered'; readonly atMs: number }
  | {
      readonly type: 'ReceivePresentation'
      readonly atMs: number
      readonly from: string
      readonly presentation: string
    }
  | {
      readonly type: 'RecordProofVerified'
      readonly atMs: number
      readonly verified: boolean
      readonly disclosed: Disclosed
    }
  | { readonly type: 'RecordProofAckDelivered'; readonly atMs: number }
  | {
      readonly type: 'ReceiveProofProblem'
      readonly atMs: number
      readonly from: string
      readonly code: string
      readonly text: string
    }
  | { readonly type: 'RecordProblemDelivered'; readonly atMs: number }
  | { readonly type: 'AbandonProof'; readonly atMs: number }
  | { readonly type: 'ReadProof' }

type Moved = { readonly atMs: number; readonly change: Change<ProofStatus> }
export type ProofAbout = Pick<Facts, 'tenant' | 'connectionId' | 'externalId' | 'proofTemplateId'>

export type ProofEvent =
  | ({ readonly type: 'ProofRequested' } & Moved & Asked)
  | { readonly type: 'ProofRequestDelivered'; readonly atMs: number }
  | ({ readonly type: 'PresentationReceived'; readonly presentation: string | null } & Moved & ProofAbout)
  | ({
      readonly type: 'ProofVerified'
      readonly verified: boolean
      readonly disclosed: Disclosed | null
    } & Moved &
      ProofAbout)
  | { readonly type: 'ProofAckDelivered'; readonly atMs: number }
  | ({ readonly type: 'ProofDeclined'; readonly errorMessage: string | null } & Moved & ProofAbout)
  | ({
      readonly type: 'ProofAbandoned'
      readonly errorMessage: string | null
      readonly problem: string | null
    } & Moved &
      ProofAbout)
  | { readonly type: 'ProofProblemDelivered'; readonly atMs: number }

export type ProofReply = { readonly proof: ProofRecord } | Met | Refused

export type ProofEffect =
  | { readonly id: string; readonly kind: 'deliver-proof-request'; readonly asked: RequestSent }
  | { readonly id: string; readonly kind: 'verify-presentation'; readonly received: PresentationReceived }
  | { readonly id: string; readonly kind: 'deliver-proof-ack'; readonly done: ProofDone }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly ended: ProofEnded }
