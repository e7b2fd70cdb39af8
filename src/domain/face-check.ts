import { refuse, type Refused, type Timer } from './decider.ts'
import { type Change, type ExchangeTimes, faceChecked } from './exchange.ts'

/** The vendors that can check a face. The sandbox is there on the sandbox ledger alone. */
export const faceVendorNames = ['aws_rekognition', 'azure_face', 'sandbox'] as const
export type FaceVendorName = (typeof faceVendorNames)[number]

export const faceCheckStatuses = ['pending', 'passed', 'failed', 'expired', 'cancelled'] as const
export type FaceCheckStatus = (typeof faceCheckStatuses)[number]

/** What an exchange knows of its face check. Nothing in it is personal. */
export type FaceCheck = {
  /** Of the record of the check itself, which is gone soon after it is decided. */
  readonly id: string
  readonly vendor: FaceVendorName
  readonly status: FaceCheckStatus
  readonly attempts: number
  readonly attemptsRemaining: number
  /** An image that nobody can pass with takes all attempts away at once, so both together may be less. */
  readonly attemptsMax: number
  readonly expiresAtMs: number
  readonly decidedAtMs: number | null
}

/** What the vendor found in the newest attempt: for the organisation alone, and personal. */
export type FaceResult = {
  /** 0–100; null where the vendor has no such score. */
  readonly livenessScore: number | null
  readonly matchScore: number | null
  /** One of a few sentences; null for an attempt that was passed. */
  readonly reason: string | null
}

/** Left out of exchanges to which no policy applied. */
export type FaceChecked = {
  readonly faceCheck?: FaceCheck
  /** Null until an attempt has counted, and once it is erased. */
  readonly faceResult?: FaceResult | null
}

/** What an exchange carries on as it moves. */
export const faceOf = ({ faceCheck, faceResult = null }: FaceChecked): FaceChecked =>
  faceCheck === undefined ? {} : { faceCheck, faceResult }

/** What is left of it once the exchange is erased. */
export const erasedFace = ({ faceCheck }: FaceChecked): FaceChecked =>
  faceCheck === undefined ? {} : { faceCheck, faceResult: null }

/** Nothing is signed, and no result is shown, before a check that there is has been passed. */
export const isHeld = ({ faceCheck }: FaceChecked): boolean =>
  faceCheck !== undefined && faceCheck.status !== 'passed'

export const isFacePending = ({ faceCheck }: FaceChecked): boolean => faceCheck?.status === 'pending'

/**
 * Of an exchange whose holder answered before it was noted that its wallet has heard of the check: the step that is to
 * tell it. A wallet that has not heard of a check never begins one.
 */
export type CheckToTell = { readonly checkToTell?: string | null }

export const checkToTellIn = (
  step: string,
  face: FaceChecked & { readonly delivered: boolean },
): CheckToTell => (isFacePending(face) && !face.delivered ? { checkToTell: step } : {})

/** Null where the wallet has heard of the check, or there is none any more. */
export const stepToTell = (state: FaceChecked & CheckToTell): string | null =>
  isFacePending(state) ? (state.checkToTell ?? null) : null

/** The face check of an exchange that ends: what is not decided by then never is. */
export const faceAtEnd = (state: FaceChecked, atMs: number): FaceChecked => {
  const { faceCheck, faceResult = null } = state
  if (faceCheck?.status !== 'pending') return faceOf(state)
  const status = atMs < faceCheck.expiresAtMs ? 'cancelled' : 'expired'
  return { faceCheck: { ...faceCheck, status, decidedAtMs: atMs }, faceResult }
}

/** Whether the check itself has yet to hear that its exchange has ended. It ends by itself with its window. */
export const isCheckToEnd = (before: FaceChecked, after: FaceChecked): boolean =>
  isFacePending(before) && after.faceCheck?.status === 'cancelled'

const FACE_TIMER = 'face-check'

/** The window of the check, which ends the exchange. */
export const faceTimer = ({ faceCheck }: FaceChecked): readonly Timer[] =>
  faceCheck?.status === 'pending' ? [{ id: FACE_TIMER, dueMs: faceCheck.expiresAtMs }] : []

export const faceWindowOver = {
  errorMessage: 'The face check was not passed within its time.',
  failure: 'face_check_not_passed',
} as const

export const isWindowOver = ({ faceCheck }: FaceChecked, atMs: number): boolean =>
  faceCheck?.status === 'pending' && atMs >= faceCheck.expiresAtMs

/** Given together with the command that counts the same attempts at the check: both agree, or nothing happens. */
export type RecordFaceCheck = {
  readonly type: 'RecordFaceCheck'
  readonly atMs: number
  readonly checkId: string
  readonly status: 'pending' | 'passed' | 'failed'
  readonly attempts: number
  readonly attemptsRemaining: number
  readonly result: FaceResult
}

/** The wallet has given the check up, or does not know what it is. */
export type AbandonForFaceCheck = { readonly type: 'AbandonForFaceCheck'; readonly atMs: number }

export const faceCheckRefused = {
  errorMessage: 'The wallet did not do the face check.',
  failure: 'face_check_refused',
} as const

const begunAndOver = refuse('exchange_over', 'The face check that this exchange began with is over.')

/**
 * The command that creates an exchange, come again: nothing happens. Where its check is over that is refused, because the
 * check is gone by then and would begin anew.
 */
export const begunAgain = (state: FaceChecked, command: FaceChecked): readonly never[] | Refused =>
  command.faceCheck !== undefined && !isFacePending(state) ? begunAndOver : []

const faceCheckOver = refuse('message_late', 'The face check is over.')

/** The face check after attempts that have counted; refused where it is over, or is another's. */
export const faceAfter = (
  { faceCheck }: FaceChecked,
  { atMs, checkId, status, attempts, attemptsRemaining, result }: RecordFaceCheck,
): FaceChecked | Refused => {
  const isOpen = faceCheck?.status === 'pending' && atMs < faceCheck.expiresAtMs
  if (!isOpen || faceCheck.id !== checkId) return faceCheckOver
  const decidedAtMs = status === 'pending' ? null : atMs
  return {
    faceCheck: { ...faceCheck, status, attempts, attemptsRemaining, decidedAtMs },
    faceResult: result,
  }
}

/** The times of an exchange whose face check has moved on, and which waits for its holder anew. */
export const timesAfterCheck = (
  times: ExchangeTimes,
  { atMs, change, faceCheck }: { readonly atMs: number; readonly change: Change<string> } & FaceChecked,
): ExchangeTimes => ({
  createdAtMs: times.createdAtMs,
  updatedAtMs: atMs,
  waitingSinceMs: atMs,
  erasedAtMs: times.erasedAtMs,
  erasedBy: times.erasedBy,
  sequence: change.sequence,
  steps: [...times.steps, faceChecked(outcomeOf(faceCheck), atMs)],
})

/** A check that is still open after an attempt has room for another. */
const outcomeOf = (faceCheck: FaceCheck | undefined): string =>
  faceCheck === undefined || faceCheck.status === 'pending' ? 'attempt-failed' : faceCheck.status
