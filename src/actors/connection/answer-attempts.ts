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
  /** Of an answer that was sent, and that the wallet has asked for again. */
  readonly again?: 'planned' | 'due' | 'over'
}

type At = { readonly atMs: number }

export type AnswerEvent =
  | ({ readonly type: 'ConnectionResponseFailed'; readonly nextAtMs: number | null } & At)
  /** `early`: because the holder has written again. */
  | ({ readonly type: 'ConnectionResponseDue'; readonly early: boolean } & At)
  /** The holder has written again too soon: it is remembered until then. */
  | ({ readonly type: 'ConnectionResponseAsked'; readonly nextAtMs: number } & At)
  /** One that was sent before has been tried again, with whatever outcome. */
  | ({ readonly type: 'ConnectionResponseRepeated' } & At)

const MINUTE_MS = 60_000

/** Counted from the request. What is had early is taken from the end, so that the attempt after an hour is always left. */
const PLANNED_MS = [0, ...LATER_ATTEMPTS_MS] as const
const EARLY_MAX = 2
/** A wallet that writes sooner has not waited for the last attempt; it is remembered, and has its own after that. */
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

/** Whether an attempt is owed now. */
export const isOwed = ({ due, again }: AnswerAttempts, isSent: boolean): boolean =>
  isSent ? again === 'due' : due

/** The time of the planned attempt has come. */
export const planned = (attempts: AnswerAttempts, isSent: boolean, atMs: number): AnswerEvent | null => {
  const { due, again, nextAtMs } = attempts
  const isPlanned = isSent ? again === 'planned' : !due
  return isPlanned && nextAtMs !== null && atMs >= nextAtMs
    ? { type: 'ConnectionResponseDue', atMs, early: false }
    : null
}

/** A wallet has written again: null where nothing comes sooner by it. `sentAtMs`: when the answer was sent. */
export const askedAgain = (
  attempts: AnswerAttempts,
  sentAtMs: number | null,
  atMs: number,
): AnswerEvent | null => {
  if (attempts.early >= EARLY_MAX) return null
  const nextAtMs = sentAtMs === null ? earlyAtMs(attempts, atMs) : againAtMs(attempts, sentAtMs, atMs)
  if (nextAtMs === null) return null
  return nextAtMs <= atMs
    ? { type: 'ConnectionResponseDue', atMs, early: true }
    : { type: 'ConnectionResponseAsked', atMs, nextAtMs }
}

const earlyAtMs = ({ due, nextAtMs, failedAtMs }: AnswerAttempts, atMs: number): number | null => {
  if (due || nextAtMs === null) return null
  const early = Math.max(atMs, failedAtMs + EARLY_AFTER_MS)
  return early === atMs || early < nextAtMs ? early : null
}

/** Whatever came of the attempts before, a third party gets no more than are planned. */
const againAtMs = (
  { again = 'over', failed, early, failedAtMs }: AnswerAttempts,
  sentAtMs: number,
  atMs: number,
): number | null =>
  again === 'over' && failed + 1 + early < PLANNED_MS.length
    ? Math.max(atMs, Math.max(sentAtMs, failedAtMs) + EARLY_AFTER_MS)
    : null

/** Null for an event that cannot come then. */
export const attemptsAfter = (
  attempts: AnswerAttempts,
  isSent: boolean,
  event: AnswerEvent,
): AnswerAttempts | null => {
  const { failed, early } = attempts
  const isOutcome = event.type === 'ConnectionResponseFailed' || event.type === 'ConnectionResponseRepeated'
  if (isOwed(attempts, isSent) !== isOutcome) return null
  switch (event.type) {
    case 'ConnectionResponseFailed':
      return isSent
        ? null
        : { ...attempts, due: false, failed: failed + 1, failedAtMs: event.atMs, nextAtMs: event.nextAtMs }
    case 'ConnectionResponseRepeated':
      return isSent ? { ...attempts, failedAtMs: event.atMs, again: 'over' } : null
    case 'ConnectionResponseAsked': {
      const asked = { ...attempts, nextAtMs: event.nextAtMs, early: early + 1 }
      return isSent ? { ...asked, again: 'planned' } : asked
    }
    case 'ConnectionResponseDue': {
      const begun = { ...attempts, nextAtMs: null, early: early + (event.early ? 1 : 0) }
      return isSent ? { ...begun, again: 'due' } : { ...begun, due: true }
    }
  }
}
