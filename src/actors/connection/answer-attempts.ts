import { LATER_ATTEMPTS_MS } from '../../domain/exchange.ts'

/**
 * How often a wallet that begins to connect is written to. A stranger has named the address, so the attempts are few: six
 * in all, with those that say that the handshake is over. In each part of it two may be had early by writing again.
 */
export type AnswerAttempts = {
  /** Those that may have reached somebody: the outcome is known, or was not waited for. */
  readonly made: number
  /** Those that the wallet has asked for by writing again: before the answer was sent, since, or since the end. */
  readonly early: number
  /** When the last one came to its end. */
  readonly lastAtMs: number
  /** The next one is owed now. */
  readonly due: boolean
  /** When it will be; null where it is, and after the last one. */
  readonly nextAtMs: number | null
  /** Of what the wallet may ask for again: the answer that was sent, or the word that the handshake is over. */
  readonly again: Again
}

/** `over`: until the wallet asks for it. `never`: it knows, or cannot be reached. */
type Again = 'planned' | 'due' | 'over' | 'never'

/** How the end of a handshake comes to the wallet: at once, when it writes again, or never. */
export type Farewell = Exclude<Again, 'planned'>

type At = { readonly atMs: number }

export type AnswerEvent =
  | ({ readonly type: 'ConnectionResponseFailed'; readonly nextAtMs: number | null } & At)
  /** `early`: because the holder has written again. */
  | ({ readonly type: 'ConnectionResponseDue'; readonly early: boolean } & At)
  /** The holder has written again too soon: it is remembered until then. */
  | ({ readonly type: 'ConnectionResponseAsked'; readonly nextAtMs: number } & At)
  /** What the wallet may ask for again has been tried, with whatever outcome. */
  | ({ readonly type: 'ConnectionResponseRepeated'; readonly again: 'over' | 'never' } & At)

const MINUTE_MS = 60_000

/** Counted from the request. What is had early is taken from the end, so that the attempt after an hour is always left. */
const PLANNED_MS = [0, ...LATER_ATTEMPTS_MS] as const
const EARLY_MAX = 2
/** A wallet that writes sooner has not waited for the last attempt; it is remembered, and has its own after that. */
const EARLY_AFTER_MS = MINUTE_MS

export const firstAttempt: AnswerAttempts = {
  made: 0,
  early: 0,
  lastAtMs: 0,
  due: true,
  nextAtMs: null,
  again: 'over',
}

/** When the attempt after the one that has failed now is to be made; null where it was the last. */
export const nextAttemptAtMs = (
  { made, early }: AnswerAttempts,
  requestedAtMs: number,
  atMs: number,
): number | null => {
  const planned = PLANNED_MS[made + 1 - early]
  if (made + 1 >= PLANNED_MS.length || planned === undefined) return null
  return Math.max(requestedAtMs + planned, atMs)
}

/** Whether an attempt is owed now. `isAnswered`: the answer was sent, or the handshake is over. */
export const isOwed = ({ due, again }: AnswerAttempts, isAnswered: boolean): boolean =>
  isAnswered ? again === 'due' : due

/** The time of the planned attempt has come. */
export const planned = (attempts: AnswerAttempts, isAnswered: boolean, atMs: number): AnswerEvent | null => {
  const { due, again, nextAtMs } = attempts
  const isPlanned = isAnswered ? again === 'planned' : !due
  return isPlanned && nextAtMs !== null && atMs >= nextAtMs
    ? { type: 'ConnectionResponseDue', atMs, early: false }
    : null
}

/** A wallet has written again: null where nothing comes sooner by it. */
export const askedAgain = (
  attempts: AnswerAttempts,
  isAnswered: boolean,
  atMs: number,
): AnswerEvent | null => {
  // Its timer has yet to come, and what is had now is not early.
  const hasCome = planned(attempts, isAnswered, atMs)
  if (hasCome !== null || attempts.early >= EARLY_MAX) return hasCome
  const nextAtMs = isAnswered ? againAtMs(attempts, atMs) : earlyAtMs(attempts, atMs)
  if (nextAtMs === null) return null
  return nextAtMs <= atMs
    ? { type: 'ConnectionResponseDue', atMs, early: true }
    : { type: 'ConnectionResponseAsked', atMs, nextAtMs }
}

const earlyAtMs = ({ due, nextAtMs, lastAtMs }: AnswerAttempts, atMs: number): number | null => {
  if (due || nextAtMs === null) return null
  const early = Math.max(atMs, lastAtMs + EARLY_AFTER_MS)
  return early === atMs || early < nextAtMs ? early : null
}

/** Whatever came of the attempts before, a third party gets no more than are planned. */
const againAtMs = ({ again, made, lastAtMs }: AnswerAttempts, atMs: number): number | null =>
  again === 'over' && made < PLANNED_MS.length ? Math.max(atMs, lastAtMs + EARLY_AFTER_MS) : null

/** The answer was sent. */
export const attemptsOnceSent = (attempts: AnswerAttempts, atMs: number): AnswerAttempts => ({
  ...firstAttempt,
  due: false,
  made: attempts.made + 1,
  lastAtMs: atMs,
})

/** The handshake is over. An attempt under way counts: it may reach the wallet still. */
export const attemptsOnceOver = (
  attempts: AnswerAttempts,
  isAnswered: boolean,
  farewell: Farewell,
): AnswerAttempts => {
  const made = attempts.made + (isOwed(attempts, isAnswered) ? 1 : 0)
  const again = farewell === 'due' && made >= PLANNED_MS.length ? 'over' : farewell
  return { ...attempts, made, early: 0, due: false, nextAtMs: null, again }
}

/** Null for an event that cannot come then. */
export const attemptsAfter = (
  attempts: AnswerAttempts,
  isAnswered: boolean,
  event: AnswerEvent,
): AnswerAttempts | null => {
  const { made, early } = attempts
  const isOutcome = event.type === 'ConnectionResponseFailed' || event.type === 'ConnectionResponseRepeated'
  if (isOwed(attempts, isAnswered) !== isOutcome) return null
  const tried = { ...attempts, made: made + 1, lastAtMs: event.atMs }
  switch (event.type) {
    case 'ConnectionResponseFailed':
      return isAnswered ? null : { ...tried, due: false, nextAtMs: event.nextAtMs }
    case 'ConnectionResponseRepeated':
      return isAnswered ? { ...tried, again: event.again } : null
    case 'ConnectionResponseAsked': {
      const asked = { ...attempts, nextAtMs: event.nextAtMs, early: early + 1 }
      return isAnswered ? { ...asked, again: 'planned' } : asked
    }
    case 'ConnectionResponseDue': {
      const begun = { ...attempts, nextAtMs: null, early: early + (event.early ? 1 : 0) }
      return isAnswered ? { ...begun, again: 'due' } : { ...begun, due: true }
    }
  }
}

/** Of a handshake that is over: the wallet has heard so as often as it may. */
export const isSpent = ({ again }: AnswerAttempts): boolean => again === 'over' || again === 'never'
