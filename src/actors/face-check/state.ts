import type { BodyReference } from '../../domain/body-reference.ts'
import type { FaceCheckStatus, FaceVendorName } from '../../domain/face-check.ts'
import type { Prefixed } from '../../domain/message-prefix.ts'

/** As the organisation had entered it when the check began; what is secret is sealed with the organisation's key. */
export type KeptAccount = {
  readonly settings: Readonly<Record<string, string>>
  readonly sealedCredentials: string | null
}

/** The image is kept beside the journal, as it was sent, in pieces that lie behind each other. */
export type KeptImage = {
  readonly format: 'jpeg' | 'png'
  readonly width: number
  readonly height: number
  readonly pieces: readonly BodyReference[]
}

/** What a check keeps from its beginning to its end, whatever becomes of the policy meanwhile. */
export type CheckFacts = {
  readonly tenant: string
  readonly connectionId: string
  /** The exchange that waits for it: of a credential, or for a proof. */
  readonly exchangeId: string
  readonly vendor: FaceVendorName
  readonly account: KeptAccount
  readonly image: KeptImage
  readonly livenessMin: number
  readonly matchMin: number
  readonly attemptsMax: number
  readonly expiresAtMs: number
  /** How long a session of the vendor may live. */
  readonly sessionSeconds: { readonly least: number; readonly most: number }
}

/** One session at the vendor, from the wish for it until what came of it is known. */
export type Session = {
  /** Counted on with every session that the vendor may have begun. */
  readonly number: number
  /** When the vendor was asked for it first. */
  readonly sinceMs: number
  /** Null until the vendor has begun it. */
  readonly begun: {
    readonly sessionId: string
    /** Until then a wallet can use it for certain. */
    readonly usableUntilMs: number
    /** From then on nothing can come of it any more. */
    readonly deadAtMs: number
  } | null
  /** The wallet waits to be told of it once more. */
  readonly isAskedFor: boolean
  readonly toldAtMs: number
  /** What came of it is to be read. */
  readonly isDue: boolean
}

/** What the vendor may still hold of a session that nothing more is wanted of. */
export type LeftSession = { readonly sessionId: string; readonly sinceMs: number }

/**
 *   pending ──an attempt passed──▶ passed
 *      ├─ no attempt is left, or an image that nobody can pass with ──▶ failed
 *      ├─ its time is over ──▶ expired
 *      └─ its exchange ended, or the wallet gave it up ──▶ cancelled
 */
export type FaceCheckRecord = CheckFacts & {
  readonly status: FaceCheckStatus
  readonly createdAtMs: number
  readonly decidedAtMs: number | null
  readonly attempts: number
  readonly attemptsRemaining: number
  /** Those that the vendor has begun: none of them may come again as another one, because it would count again. */
  readonly sessionIds: readonly string[]
  /** The number of the newest session. */
  readonly number: number
  readonly session: Session | null
  /** The wallet wants a further session as soon as what came of this one is known. */
  readonly wantsNext: boolean
  /** What the wallet has yet to hear, and how many words there have been. */
  readonly word: 'again' | 'over' | null
  readonly words: number
  readonly left: readonly LeftSession[]
  /** The exchange has yet to hear that the wallet gave the check up. */
  readonly exchangeToEnd: boolean
}

export type Timed = { readonly atMs: number }
type FromHolder = Timed & Prefixed & { readonly from: string }

/** What attempts that have counted lead to. */
export type Counted = Pick<FaceCheckRecord, 'attempts' | 'attemptsRemaining'> & {
  readonly status: 'pending' | 'passed' | 'failed'
}

export type FaceCheckCommand =
  | ({ readonly type: 'BeginFaceCheck' } & Timed & CheckFacts)
  | ({ readonly type: 'ReceiveBegin' } & FromHolder)
  | ({ readonly type: 'ReceiveCaptured' } & FromHolder)
  | ({ readonly type: 'ReceiveCheckProblem' } & FromHolder)
  | ({ readonly type: 'RecordSessionBegun'; readonly number: number } & Timed & {
        readonly sessionId: string
        readonly seconds: number
      })
  /** Whether it was begun is not known, and it would be old by now. */
  | ({ readonly type: 'RenumberSession'; readonly number: number } & Timed)
  | ({ readonly type: 'RecordSessionTold'; readonly number: number } & Timed)
  /** Nothing came of it, and it costs no attempt. */
  | ({ readonly type: 'RecordSessionLapsed'; readonly number: number } & Timed)
  | ({ readonly type: 'RecordAttempts'; readonly number: number } & Timed & Counted)
  | ({ readonly type: 'RecordWordDelivered'; readonly words: number } & Timed)
  | ({ readonly type: 'RecordSessionGone'; readonly sessionId: string } & Timed)
  | ({ readonly type: 'RecordExchangeEnded' } & Timed)
  | ({ readonly type: 'EndFaceCheck' } & Timed)
  | ({ readonly type: 'ReadSession' } & Timed)
  | ({ readonly type: 'ExpireFaceCheck' } & Timed)
  /** The vendor has forgotten by itself what it kept. */
  | ({ readonly type: 'ForgetSessions' } & Timed)

export type FaceCheckEvent =
  | ({ readonly type: 'FaceCheckBegun' } & Timed & CheckFacts)
  | ({ readonly type: 'SessionWanted'; readonly number: number } & Timed)
  | ({ readonly type: 'NextSessionWanted' } & Timed)
  | ({ readonly type: 'SessionBegun'; readonly number: number } & Timed & NonNullable<Session['begun']>)
  | ({ readonly type: 'SessionAskedFor' } & Timed)
  | ({ readonly type: 'SessionTold' } & Timed)
  | ({ readonly type: 'SessionDue' } & Timed)
  | ({ readonly type: 'SessionLapsed' } & Timed)
  | ({ readonly type: 'SessionsUsedUp' } & Timed)
  | ({ readonly type: 'SessionLeft' } & Timed & LeftSession)
  | ({ readonly type: 'AttemptsCounted' } & Timed & Counted)
  | ({ readonly type: 'WordDelivered' } & Timed)
  | ({ readonly type: 'SessionGone'; readonly sessionId: string } & Timed)
  | ({ readonly type: 'SessionsForgotten' } & Timed)
  | ({ readonly type: 'WalletGaveUp' } & Timed)
  | ({ readonly type: 'ExchangeEnded' } & Timed)
  | ({ readonly type: 'FaceCheckClosed'; readonly status: 'expired' | 'cancelled' } & Timed)

export type FaceCheckEffect =
  | { readonly id: string; readonly kind: 'begin-session'; readonly check: FaceCheckRecord }
  | { readonly id: string; readonly kind: 'tell-session'; readonly check: FaceCheckRecord }
  | { readonly id: string; readonly kind: 'read-session'; readonly check: FaceCheckRecord }
  | {
      readonly id: string
      readonly kind: 'end-session'
      readonly check: FaceCheckRecord
      readonly left: LeftSession
    }
  | { readonly id: string; readonly kind: 'deliver-word'; readonly check: FaceCheckRecord }
  | { readonly id: string; readonly kind: 'end-exchange'; readonly check: FaceCheckRecord }
