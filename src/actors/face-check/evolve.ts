import { impossibleEvent } from '../../domain/decider.ts'
import type { FaceCheckEvent, FaceCheckRecord, LeftSession, Session } from './state.ts'

/** What a check has become by an event. */
export function evolveCheck(
  check: FaceCheckRecord,
  event: Exclude<FaceCheckEvent, { type: 'FaceCheckBegun' }>,
): FaceCheckRecord {
  const { atMs } = event
  switch (event.type) {
    case 'SessionWanted': {
      const { number } = event
      const session = { number, sinceMs: atMs, begun: null, isAskedFor: false, toldAtMs: 0, isDue: false }
      return { ...check, number, session, wantsNext: false, word: null }
    }
    case 'NextSessionWanted':
      return { ...check, wantsNext: true }
    case 'SessionBegun': {
      const { sessionId, usableUntilMs, deadAtMs } = event
      const begun = { sessionId, usableUntilMs, deadAtMs }
      const session = { ...sessionOf(check, event), begun, toldAtMs: atMs }
      return { ...check, session, sessionIds: [...check.sessionIds, sessionId] }
    }
    case 'SessionAskedFor':
      return { ...check, session: { ...sessionOf(check, event), isAskedFor: true } }
    case 'SessionTold':
      return { ...check, session: { ...sessionOf(check, event), isAskedFor: false, toldAtMs: atMs } }
    case 'SessionDue':
      return { ...check, session: { ...sessionOf(check, event), isDue: true, isAskedFor: false } }
    case 'SessionLapsed':
      sessionOf(check, event)
      return said({ ...check, ...withoutSession(check) }, check.wantsNext ? null : 'again')
    case 'SessionsUsedUp': {
      // One that the vendor has not begun never will be.
      const session = check.session?.begun ? check.session : null
      return said({ ...check, session, wantsNext: false }, 'over')
    }
    case 'SessionLeft':
      return { ...check, left: [...check.left, { sessionId: event.sessionId, sinceMs: event.sinceMs }] }
    case 'AttemptsCounted': {
      sessionOf(check, event)
      const { attempts, attemptsRemaining, status } = event
      const counted = { ...check, ...withoutSession(check), attempts, attemptsRemaining, status }
      if (status === 'pending') return said(counted, check.wantsNext ? null : 'again')
      return said({ ...counted, decidedAtMs: atMs, wantsNext: false }, status === 'failed' ? 'over' : null)
    }
    case 'WordDelivered':
      return { ...check, word: null }
    case 'SessionGone':
      return { ...check, left: check.left.filter(({ sessionId }) => sessionId !== event.sessionId) }
    case 'SessionsForgotten':
      return { ...check, left: [] }
    case 'WalletGaveUp':
      return { ...closed(check, event, 'cancelled'), exchangeToEnd: true }
    case 'ExchangeEnded':
      return { ...check, exchangeToEnd: false }
    case 'FaceCheckClosed':
      return closed(check, event, event.status)
  }
}

function sessionOf({ session, status }: FaceCheckRecord, event: FaceCheckEvent): Session {
  if (session === null || status !== 'pending') throw impossibleEvent(event, status)
  return session
}

/** What the vendor keeps of it is to go there, too. */
const withoutSession = ({ session, left }: FaceCheckRecord): Pick<FaceCheckRecord, 'session' | 'left'> => ({
  session: null,
  left: [...left, ...leftOf(session)],
})

const leftOf = (session: Session | null): readonly LeftSession[] =>
  session === null || session.begun === null
    ? []
    : [{ sessionId: session.begun.sessionId, sinceMs: session.sinceMs }]

const said = (check: FaceCheckRecord, word: FaceCheckRecord['word']): FaceCheckRecord => ({
  ...check,
  word,
  words: word === null ? check.words : check.words + 1,
})

/** Nothing more is said to the wallet: it hears of the end of the exchange. */
const closed = (
  check: FaceCheckRecord,
  event: FaceCheckEvent,
  status: 'expired' | 'cancelled',
): FaceCheckRecord => {
  if (check.status !== 'pending') throw impossibleEvent(event, check.status)
  return {
    ...check,
    ...withoutSession(check),
    status,
    decidedAtMs: event.atMs,
    wantsNext: false,
    word: null,
  }
}
