import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
  type Timer,
} from '../../domain/decider.ts'
import { erasedBy, erasure, type EraseCommand } from '../../domain/erasure.ts'
import {
  HOLDER_WAIT_MS,
  changeTo,
  firstChange,
  holderWait,
  messageLate,
  timesAfter,
  timesAt,
  type Eraser,
} from '../../domain/exchange.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import {
  type AnswerAttempts,
  type AnswerEvent,
  type Farewell,
  askedAgain,
  attemptsAfter,
  attemptsOnceOver,
  attemptsOnceSent,
  firstAttempt,
  isOwed,
  isSpent,
  nextAttemptAtMs,
  planned,
} from './answer-attempts.ts'
import { HOLDER, closingAfter, closingBy, closingTimer, erasing, owedPage, pageErased } from './closing.ts'
import { reuse, reuseAfter } from './reuse.ts'
import type {
  ConnectionCommand,
  ConnectionEffect,
  ConnectionEvent,
  ConnectionRecord,
  ConnectionStatus,
  Moved,
  ResponseOutcome,
} from './state.ts'
import { type BySender, formerKey, isKeyOfNow, newWays, waysAfter } from './wallet-ways.ts'
import { reported, slow, unanswered, unreachable, type WhyAbandoned } from './why-abandoned.ts'

export type ConnectionTypes = RecordTypes<
  ConnectionRecord,
  ConnectionCommand,
  ConnectionEvent,
  ConnectionEffect
>

type Decided = readonly ConnectionEvent[] | Refused

export const connection = referencesTo<ConnectionTypes>('con')

export const noSuchConnection = refuse(
  'connection_not_found',
  'There is no connection with this connectionId.',
)
/** A wallet that is there has completed its handshake long before. */
export const GIVES_WAY_MS = 300_000

/** The states of a handshake that is under way. */
export const HANDSHAKE_STATES: readonly ConnectionStatus[] = ['request-received', 'response-sent']

const isWaiting = ({ status }: ConnectionRecord): boolean => HANDSHAKE_STATES.includes(status)

/** Another organisation's looks the same. */
export const noConnection = refuse('not_found', 'There is no connection with this id.')

export const connectionDecider: Decider<ConnectionTypes> = recordDecider({
  unknown: noConnection,
  first: ['RequestConnection', 'ConnectionRequested'],
  create: (command) => ({ ...command, type: 'ConnectionRequested', change: firstChange('request-received') }),
  created: ({ change, ...request }, atMs) => ({
    ...request,
    ...timesAt(atMs, change),
    status: 'request-received',
    attempts: firstAttempt,
    errorMessage: null,
    closing: null,
  }),
  decide: (state, command) => {
    if (command.type === 'RequireConnectionReady') return requireReady(state, command.tenant)
    const { atMs } = command
    switch (command.type) {
      case 'RecordResponseDelivered':
      case 'RecordResponseFailed':
      case 'RecordResponseImpossible':
        return responseTried(state, command)
      case 'RetryResponse':
        return atMostOne(isWrittenTo(state) ? planned(state.attempts, isAnswered(state), atMs) : null)
      // It waits for the answer, so it can be reached now.
      case 'RepeatRequest':
        return atMostOne(isWrittenTo(state) ? askedAgain(state.attempts, isAnswered(state), atMs) : null)
      case 'GiveWay':
        return atMs >= state.createdAtMs + GIVES_WAY_MS ? abandon(state, atMs, slow, 'due') : NOTHING_HAPPENS
      case 'ReceiveConnectionComplete':
        return complete(state, atMs)
      case 'ReceiveConnectionProblem':
        return abandon(state, atMs, reported(command), 'never')
      case 'AbandonConnection':
        return atMs >= state.waitingSinceMs + HOLDER_WAIT_MS
          ? abandon(state, atMs, unanswered, 'over')
          : NOTHING_HAPPENS
      case 'ReceiveHangup':
        return hungUp(state, command)
      case 'RotateDid':
      case 'RecordFormats':
        return newWays(state, command)
      case 'RecordReuse':
        return reuse(state, command)
      case 'CloseConnection':
        if (state.tenant !== command.tenant) return noConnection
        return atMostOne(closed(state, command))
      case 'EraseRecord':
        return erased(state, command)
      case 'ContinueErasure':
        return continueErasure(state, atMs)
      case 'RecordExchangesErased':
        return atMostOne(pageErased(state, command))
    }
  },
  evolve: (state, event) => {
    if (event.type === 'RecordErased')
      return { ...erasedBy(state, event), ...nothingPersonal, closing: erasing(state, event.by) }
    if (event.type === 'ConnectionDidRotated' || event.type === 'ConnectionFormatsSeen')
      return waysAfter(state, event)
    if (event.type === 'ConnectionReused') return reuseAfter(state, event)
    if (event.type === 'ConnectionExchangesErased' || event.type === 'ConnectionExchangesDue')
      return { ...state, closing: closingAfter(state, event) }
    if (!('change' in event)) return answerAfter(state, event)
    return {
      ...state,
      ...timesAfter(state, event),
      attempts: attemptsOnceMoved(state, event),
      status: event.change.state,
      errorMessage: event.type === 'ConnectionAbandoned' ? event.errorMessage : null,
      closing: closingOf(event),
    }
  },
  owed: (state) => {
    const { threadId } = state
    if (owesResponse(state)) {
      const id = `${threadId}:${state.status}:${state.attempts.made + 1}`
      return [{ id, kind: 'deliver-response', connection: state }]
    }
    const page = owedPage(state)
    if (page === null) return []
    const what = state.closing?.by === HOLDER ? 'end' : 'erasure'
    const id = `${threadId}:${what}:${page.list}:${page.page}`
    return [{ id, kind: 'erase-exchanges', connection: state, page }]
  },
  timers: (state) => [...(isWaiting(state) ? holderWait(state) : closingTimer(state)), ...nextAttempt(state)],
})

const nothingPersonal = {
  theirLabel: null,
  theirDid: null,
  theirService: null,
  ownSeed: null,
  errorMessage: null,
  former: null,
} as const

type Closed = Extract<ConnectionEvent, { type: 'ConnectionClosed' }>

type At = { readonly atMs: number }

/** Null where it is closed already. */
const closed = (state: ConnectionRecord, { atMs, by }: At & { readonly by: Eraser }): Closed | null =>
  state.closing === null ? { type: 'ConnectionClosed', atMs, by, ...to(state, 'closed') } : null

/** Nothing where its handshake has failed, or it is closed already. */
const hungUp = (state: ConnectionRecord, { atMs, senderKey }: At & BySender): Decided => {
  if (!isWaiting(state) && state.status !== 'completed') return NOTHING_HAPPENS
  if (!isKeyOfNow(state, senderKey)) return formerKey
  return [{ type: 'ConnectionHungUp', atMs, ...to(state, 'closed') }]
}

const closingOf = (event: ConnectionEvent): ConnectionRecord['closing'] => {
  if (event.type === 'ConnectionHungUp') return closingBy(HOLDER)
  return event.type === 'ConnectionClosed' ? closingBy(event.by) : null
}

/** Left alone, a connection has no end of its own, so its erasure is what closes it. */
const erased = (state: ConnectionRecord, command: EraseCommand): Decided => {
  const running = closed(state, command)
  return erasure<Closed>(state, { ...command, withConnection: true }, { running, unknown: noConnection })
}

function continueErasure(state: ConnectionRecord, atMs: number): Decided {
  const { closing, tenant, erasedAtMs } = state
  const isDue = closingTimer(state).some(({ dueMs }) => dueMs <= atMs)
  if (closing === null || !isDue) return NOTHING_HAPPENS
  if (erasedAtMs !== null || closing.by === HOLDER) return [{ type: 'ConnectionExchangesDue', atMs }]
  return erased(state, { type: 'EraseRecord', atMs, tenant, by: closing.by })
}

/** The timer of the next attempt to answer; the wait for the holder and an erasure have their own. */
export const RESPONSE_TIMER = 'response'

const nextAttempt = (state: ConnectionRecord): readonly Timer[] => {
  const { nextAtMs, again } = state.attempts
  const isPlanned = isWrittenTo(state) && (isAnswered(state) ? again === 'planned' : true)
  return isPlanned && nextAtMs !== null ? [{ id: RESPONSE_TIMER, dueMs: nextAtMs }] : []
}

/** What is over is said to the wallet too. */
const isWrittenTo = (state: ConnectionRecord): boolean => isWaiting(state) || state.status === 'abandoned'

/** Whether its wallet, which has written again, hears nothing more of a handshake that is over. */
export const isSaidNoMore = ({ status, attempts }: ConnectionRecord): boolean =>
  status === 'closed' || (status === 'abandoned' && isSpent(attempts))

const isAnswered = ({ status }: ConnectionRecord): boolean => status !== 'request-received'

const owesResponse = (state: ConnectionRecord): boolean =>
  isWrittenTo(state) && isOwed(state.attempts, isAnswered(state))

/** The outcome of an attempt that is not the one that is owed changes nothing. */
function responseTried(state: ConnectionRecord, command: ResponseOutcome): readonly ConnectionEvent[] {
  const { attempts, createdAtMs } = state
  const { atMs, number } = command
  const isOutcome = owesResponse(state) && number === attempts.made + 1
  const again = command.type === 'RecordResponseImpossible' ? 'never' : 'over'
  if (isAnswered(state))
    return isOutcome ? [{ type: 'ConnectionResponseRepeated', atMs, again }] : NOTHING_HAPPENS
  if (command.type === 'RecordResponseDelivered') return [responseSent(state, atMs)]
  if (command.type === 'RecordResponseImpossible')
    return abandon(state, atMs, unreachable(command.reason), 'never')
  if (!isOutcome) return NOTHING_HAPPENS
  return [{ type: 'ConnectionResponseFailed', atMs, nextAtMs: nextAttemptAtMs(attempts, createdAtMs, atMs) }]
}

function answerAfter(state: ConnectionRecord, event: AnswerEvent): ConnectionRecord {
  const attempts = isWrittenTo(state) ? attemptsAfter(state.attempts, isAnswered(state), event) : null
  if (attempts === null) throw impossibleEvent(event, state.status)
  return { ...state, attempts }
}

function attemptsOnceMoved(
  state: ConnectionRecord,
  event: Extract<ConnectionEvent, { readonly change: unknown }>,
): AnswerAttempts {
  if (event.type === 'ConnectionResponseSent') return attemptsOnceSent(state.attempts, event.atMs)
  return event.type === 'ConnectionAbandoned'
    ? attemptsOnceOver(state.attempts, isAnswered(state), event.farewell)
    : state.attempts
}

const responseSent = (state: ConnectionRecord, atMs: number): ConnectionEvent => ({
  type: 'ConnectionResponseSent',
  atMs,
  ...to(state, 'response-sent'),
})

function abandon(
  state: ConnectionRecord,
  atMs: number,
  why: WhyAbandoned,
  farewell: Farewell,
): readonly ConnectionEvent[] {
  if (!isWaiting(state)) return NOTHING_HAPPENS
  return [{ type: 'ConnectionAbandoned', atMs, ...why, farewell, ...to(state, 'abandoned') }]
}

function complete(state: ConnectionRecord, atMs: number): readonly ConnectionEvent[] | Refused {
  if (state.status === 'completed') return NOTHING_HAPPENS
  if (!isWaiting(state)) return messageLate
  // It can overtake our own note of the delivery: only a holder who has the response completes.
  const events: ConnectionEvent[] = []
  let at = state
  if (at.status === 'request-received') {
    const sent = responseSent(at, atMs)
    events.push(sent)
    at = connectionDecider.evolve(at, sent) as ConnectionRecord
  }
  return [...events, { type: 'ConnectionCompleted', atMs, ...to(at, 'completed') }]
}

function requireReady(state: ConnectionRecord, tenant: string): readonly never[] | Refused {
  // Another tenant's connection is answered like one that does not exist.
  if (state.tenant !== tenant) return noSuchConnection
  if (state.status === 'completed') return NOTHING_HAPPENS
  return refuse('connection_not_ready', `The connection is in state ${state.status}; it must be completed.`)
}

const to = (state: ConnectionRecord, next: ConnectionStatus): Omit<Moved, 'atMs'> => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  invitationId: state.invitationId,
  externalId: state.externalId,
})
