import { NOTHING_HAPPENS, atMostOne, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { messageLate } from '../../domain/exchange.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import { evolveCheck } from './evolve.ts'
import type { FaceCheckCommand, FaceCheckEffect, FaceCheckEvent, FaceCheckRecord, Session } from './state.ts'

export type FaceCheckTypes = RecordTypes<FaceCheckRecord, FaceCheckCommand, FaceCheckEvent, FaceCheckEffect>

export const faceCheck = referencesTo<FaceCheckTypes>('fck')

/** What a hostile wallet can cost its organisation. */
const SESSIONS_MAX = limits.faceSessionsMax
/** More words than any check has: a wallet that goes on asking after that is not answered. */
const WORDS_MAX = 40
/** A wallet that asks again and again is answered no more often than that. */
export const TOLD_AGAIN_AFTER_MS = 2_000
/** A session of which nothing was heard is looked at this long before it can be gone with what came of it. */
const READ_BEFORE_END_MS = 10_000
/** Begun so late, a session could not be read before the check is over. */
export const READING_MS = 10_000
/** After which time no vendor keeps anything of a session. */
export const VENDOR_FORGETS_MS = 48 * 3_600_000

const WINDOW_TIMER = 'window'
const READING_TIMER = 'reading'
const FORGOTTEN_TIMER = 'forgotten'

const noSuchCheck = refuse('not_found', 'There is no face check with this id.')

type Decided = readonly FaceCheckEvent[] | Refused
type Received = Extract<FaceCheckCommand, { from: string }>
type Numbered = Extract<FaceCheckCommand, { number: number }>

export const faceCheckDecider: Decider<FaceCheckTypes> = recordDecider({
  unknown: noSuchCheck,
  first: ['BeginFaceCheck', 'FaceCheckBegun'],
  create: (command) => ({ ...command, type: 'FaceCheckBegun' }),
  created: (facts, atMs) => ({
    ...facts,
    status: 'pending',
    createdAtMs: atMs,
    decidedAtMs: null,
    attempts: 0,
    attemptsRemaining: facts.attemptsMax,
    sessionIds: [],
    number: 0,
    session: null,
    wantsNext: false,
    word: null,
    words: 0,
    left: [],
    exchangeToEnd: false,
  }),
  decide: (check, command) => {
    if ('from' in command) return command.from === check.connectionId ? receive(check, command) : noSuchCheck
    if ('number' in command) return ofSession(check, command)
    return atMostOne(other(check, command))
  },
  evolve: evolveCheck,
  owed,
  timers: ({ status, expiresAtMs, session, left, word }) => {
    const [oldest] = left
    if (status !== 'pending')
      return [
        ...(word === null ? [] : [{ id: WINDOW_TIMER, dueMs: expiresAtMs }]),
        ...(oldest === undefined ? [] : [{ id: FORGOTTEN_TIMER, dueMs: oldest.sinceMs + VENDOR_FORGETS_MS }]),
      ]
    const begun = session?.isDue === false ? session.begun : null
    return [
      { id: WINDOW_TIMER, dueMs: expiresAtMs },
      ...(begun === null ? [] : [{ id: READING_TIMER, dueMs: begun.usableUntilMs - READ_BEFORE_END_MS }]),
    ]
  },
})

/** What each timer means. */
export const dueBy = (timerId: string, atMs: number): FaceCheckCommand => {
  if (timerId === READING_TIMER) return { type: 'ReadSession', atMs }
  return { type: timerId === FORGOTTEN_TIMER ? 'ForgetSessions' : 'ExpireFaceCheck', atMs }
}

/** Whether nothing more comes of the check, for anybody. */
export const isCheckOver = ({ status, word, left, exchangeToEnd }: FaceCheckRecord): boolean =>
  status !== 'pending' && word === null && left.length === 0 && !exchangeToEnd

function receive(check: FaceCheckRecord, { type, atMs }: Received): Decided {
  if (check.status !== 'pending' || atMs >= check.expiresAtMs) return messageLate
  if (type === 'ReceiveCheckProblem') return [{ type: 'WalletGaveUp', atMs }]
  const { session, words } = check
  if (type === 'ReceiveCaptured')
    return atMostOne(session?.begun && !session.isDue ? { type: 'SessionDue', atMs } : null)
  if (session !== null) return wantedAgain(check, session, atMs)
  return words < WORDS_MAX ? wanted(check, atMs) : NOTHING_HAPPENS
}

/** A further session, as long as there may be one that can end, and be read, within the time of the check. */
function wanted(check: FaceCheckRecord, atMs: number): readonly FaceCheckEvent[] {
  const { sessionIds, expiresAtMs, sessionSeconds, number, word } = check
  const hasTime = atMs + sessionSeconds.least * 1_000 + READING_MS <= expiresAtMs
  if (sessionIds.length < SESSIONS_MAX && hasTime)
    return [{ type: 'SessionWanted', atMs, number: number + 1 }]
  return atMostOne(word === 'over' ? null : { type: 'SessionsUsedUp', atMs })
}

/** While a session lives it is the one; what came of it is known before there is another. */
function wantedAgain(
  { wantsNext }: FaceCheckRecord,
  { begun, isDue, isAskedFor }: Session,
  atMs: number,
): readonly FaceCheckEvent[] {
  if (begun === null) return NOTHING_HAPPENS
  const isTooOld = atMs >= begun.usableUntilMs - READ_BEFORE_END_MS
  if (!isDue && !isTooOld) return isAskedFor ? NOTHING_HAPPENS : [{ type: 'SessionAskedFor', atMs }]
  if (wantsNext) return NOTHING_HAPPENS
  const next = { type: 'NextSessionWanted', atMs } as const
  return isDue ? [next] : [{ type: 'SessionDue', atMs }, next]
}

/** Outcomes that are about a session; one that is about another than the newest changes nothing. */
function ofSession(check: FaceCheckRecord, command: Numbered): Decided {
  const { atMs, number } = command
  const session = check.status === 'pending' && check.session?.number === number ? check.session : null
  switch (command.type) {
    case 'RecordSessionBegun': {
      const { sessionId, seconds } = command
      if (session === null) return leave(check, { sessionId, sinceMs: atMs }, atMs)
      if (session.begun !== null)
        return session.begun.sessionId === sessionId
          ? NOTHING_HAPPENS
          : leave(check, { sessionId, sinceMs: atMs }, atMs)
      if (check.sessionIds.includes(sessionId)) return NOTHING_HAPPENS
      const usableUntilMs = session.sinceMs + seconds * 1_000
      return [
        { type: 'SessionBegun', atMs, number, sessionId, usableUntilMs, deadAtMs: atMs + seconds * 1_000 },
      ]
    }
    case 'RenumberSession':
      return session !== null && session.begun === null ? renumbered(check, atMs) : NOTHING_HAPPENS
    case 'RecordSessionTold':
      return atMostOne(session?.isAskedFor === true ? { type: 'SessionTold', atMs } : null)
    case 'RecordSessionLapsed':
      if (session === null) return NOTHING_HAPPENS
      return [{ type: 'SessionLapsed', atMs }, ...(check.wantsNext ? wanted(check, atMs) : [])]
    case 'RecordAttempts': {
      // The exchange hears of the same attempts in the same batch, so what comes too late must not count there either.
      if (session === null || atMs >= check.expiresAtMs) return messageLate
      const { attempts, attemptsRemaining, status } = command
      const counted: FaceCheckEvent = { type: 'AttemptsCounted', atMs, attempts, attemptsRemaining, status }
      return [counted, ...(status === 'pending' && check.wantsNext ? wanted(check, atMs) : [])]
    }
  }
}

/** What the vendor has begun although nobody waits for it any more. */
const leave = (
  { left }: FaceCheckRecord,
  session: { readonly sessionId: string; readonly sinceMs: number },
  atMs: number,
): readonly FaceCheckEvent[] =>
  left.some(({ sessionId }) => sessionId === session.sessionId)
    ? NOTHING_HAPPENS
    : [{ type: 'SessionLeft', atMs, ...session }]

const renumbered = (check: FaceCheckRecord, atMs: number): readonly FaceCheckEvent[] => {
  const [next] = wanted(check, atMs)
  return next === undefined ? NOTHING_HAPPENS : [next]
}

function other(
  check: FaceCheckRecord,
  command: Exclude<FaceCheckCommand, Received | Numbered | { type: 'BeginFaceCheck' }>,
): FaceCheckEvent | null {
  const { atMs } = command
  const isPending = check.status === 'pending'
  switch (command.type) {
    case 'RecordWordDelivered':
      return check.word !== null && check.words === command.words ? { type: 'WordDelivered', atMs } : null
    case 'RecordSessionGone': {
      const { sessionId } = command
      const isLeft = check.left.some((each) => each.sessionId === sessionId)
      return isLeft ? { type: 'SessionGone', atMs, sessionId } : null
    }
    case 'RecordExchangeEnded':
      return check.exchangeToEnd ? { type: 'ExchangeEnded', atMs } : null
    case 'EndFaceCheck':
      if (!isPending) return null
      return { type: 'FaceCheckClosed', atMs, status: atMs < check.expiresAtMs ? 'cancelled' : 'expired' }
    case 'ExpireFaceCheck':
      if (atMs < check.expiresAtMs) return null
      if (isPending) return { type: 'FaceCheckClosed', atMs, status: 'expired' }
      // A wallet that was not there until now would hear of what nobody waits for any more.
      return check.word === null ? null : { type: 'WordDelivered', atMs }
    case 'ReadSession': {
      const begun = check.session?.isDue === false ? check.session.begun : null
      const isTime = begun !== null && atMs >= begun.usableUntilMs - READ_BEFORE_END_MS
      return isPending && isTime ? { type: 'SessionDue', atMs } : null
    }
    case 'ForgetSessions': {
      const [oldest] = check.left
      const isTime = oldest !== undefined && atMs >= oldest.sinceMs + VENDOR_FORGETS_MS
      return isTime ? { type: 'SessionsForgotten', atMs } : null
    }
  }
}

function owed(check: FaceCheckRecord): readonly FaceCheckEffect[] {
  const { session, word, words, left, exchangeToEnd } = check
  return [
    ...(session === null ? [] : owedOfSession(check, session)),
    ...left.map((each) => ({ id: `end:${each.sessionId}`, kind: 'end-session', check, left: each }) as const),
    ...(word === null ? [] : [{ id: `word:${words}`, kind: 'deliver-word', check } as const]),
    ...(exchangeToEnd ? [{ id: 'exchange', kind: 'end-exchange', check } as const] : []),
  ]
}

function owedOfSession(check: FaceCheckRecord, session: Session): readonly FaceCheckEffect[] {
  const { number, begun, isDue, isAskedFor, toldAtMs } = session
  if (begun === null) return [{ id: `begin:${number}`, kind: 'begin-session', check }]
  if (isDue) return [{ id: `read:${number}`, kind: 'read-session', check }]
  return isAskedFor ? [{ id: `tell:${number}:${toldAtMs}`, kind: 'tell-session', check }] : []
}
