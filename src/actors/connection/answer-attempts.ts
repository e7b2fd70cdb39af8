import { LATER_ATTEMPTS_MS } from '../../domain/exchange.ts'

/**
 * How often the answer to a handshake is tried. A stranger has named the address, so the attempts are few: six in a day,
 * of which two may be had early by writing again.
 */
export type AnswerAttempts = {
  readonly failed: number
  /** Of all that were begun, those that the wallet has asked for by writing again. */
  readonly early: number
  /** When the last one failed. */
  readonly failedAtMs: number
  /** The next one is owed now. */
  readonly due: boolean
  /** When it will be; null where it is, and after the last one. */
  readonly nextAtMs: number | null
}

const MINUTE_MS = 60_000

/** Counted from the request. What is had early is taken from the end, so that the attempt after an hour is always left. */
const PLANNED_MS = [0, ...LATER_ATTEMPTS_MS] as const
const EARLY_MAX = 2
/** A wallet that writes sooner has not waited for the attempt that failed. */
const EARLY_AFTER_MS = MINUTE_MS

export const firstAttempt: AnswerAttempts = { failed: 0, early: 0, failedAtMs: 0, due: true, nextAtMs: null }

/** When the attempt after the one that has failed now is to be made; null where it was the last. */
export const nextAttemptAtMs = (
  { failed, early }: AnswerAttempts,
  requestedAtMs: number,
  atMs: number,
): number | null => {
  const made = failed + 1
  const planned = PLANNED_MS[made - early]
  if (made >= PLANNED_MS.length || planned === undefined) return null
  return Math.max(requestedAtMs + planned, atMs)
}

/** Whether the time of the planned attempt has come. */
export const isPlannedBy = ({ due, nextAtMs }: AnswerAttempts, atMs: number): boolean =>
  !due && nextAtMs !== null && atMs >= nextAtMs

/** Whether a wallet that writes again gets its answer tried at once. */
export const mayBeEarly = ({ due, nextAtMs, early, failedAtMs }: AnswerAttempts, atMs: number): boolean =>
  !due && nextAtMs !== null && early < EARLY_MAX && atMs >= failedAtMs + EARLY_AFTER_MS
