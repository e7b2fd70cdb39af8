import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
  type Timer,
} from '../../domain/decider.ts'
import { erasedBy, erasure, type EraseCommand, type Eraser, type RecordErased } from '../../domain/erasure.ts'
import {
  HOLDER_WAIT_MS,
  changeTo,
  firstChange,
  holderWait,
  messageLate,
  timesAfter,
  timesAt,
  type Change,
  type ExchangeTimes,
} from '../../domain/exchange.ts'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import {
  type AnswerAttempts,
  type AnswerEvent,
  askedAgain,
  attemptsAfter,
  firstAttempt,
  isOwed,
  nextAttemptAtMs,
  planned,
} from './answer-attempts.ts'
import {
  closingAfter,
  closingBy,
  closingTimer,
  owedPage,
  pageErased,
  type Closing,
  type ExchangePage,
  type WalkCommand,
  type WalkEvent,
} from './closing.ts'

/**
 *   request-received ──response delivered──▶ response-sent ──complete──▶ completed
 *          └───────────── 24 h of silence, a problem ──▶ abandoned ◀────────┘ (never from completed)
 *
 * Its erasure closes it, from any of these.
 */
export type ConnectionStatus = 'request-received' | 'response-sent' | 'completed' | 'abandoned' | 'closed'

type WalletService = {
  readonly endpoint: string
  readonly recipientKeys: readonly string[]
  readonly routingKeys: readonly string[]
}

/** The versions that holders speak; a later one is answered in the last of these. */
export const handshakeProtocols = ['didexchange/1.0', 'didexchange/1.1'] as const
export type HandshakeProtocol = (typeof handshakeProtocols)[number]

/** What the holder's request says. Its personal fields (`their…`, ownSeed) are null once the record is erased. */
type Request = {
  readonly tenant: string
  readonly invitationId: string
  readonly externalId: string | null
  readonly threadId: string
  readonly theirLabel: string | null
  readonly theirDid: string | null
  readonly theirService: WalletService | null
  /** Seed of the key pair that this connection alone uses, base64url. */
  readonly ownSeed: string | null
  readonly ownKey: string
  readonly protocol: HandshakeProtocol
  readonly prefix: MessagePrefix
}

export type ConnectionRecord = Request &
  ExchangeTimes & {
    readonly status: ConnectionStatus
    /** Of the response to its holder's request. */
    readonly attempts: AnswerAttempts
    readonly errorMessage: string | null
    /** Null until its erasure. */
    readonly closing: Closing | null
  }

type At = { readonly atMs: number }

export type ConnectionCommand =
  | ({ readonly type: 'RequestConnection' } & At & Request)
  | ({ readonly type: 'RecordResponseDelivered' } & At)
  /** `number`: which attempt this is the outcome of, counted from one. */
  | ({ readonly type: 'RecordResponseFailed'; readonly number: number } & At)
  /** The address of the holder is one that is never written to. */
  | ({ readonly type: 'RecordResponseImpossible'; readonly reason: string } & At)
  | ({ readonly type: 'RetryResponse' } & At)
  /** The holder has sent its request again. */
  | ({ readonly type: 'RepeatRequest' } & At)
  /** Its invitation is full, and others want to begin. */
  | ({ readonly type: 'GiveWay' } & At)
  /** `complete`, or for the older protocol the first message that only the holder can have written. */
  | ({ readonly type: 'ReceiveConnectionComplete' } & At)
  | ({ readonly type: 'ReceiveConnectionProblem'; readonly code: string; readonly text: string } & At)
  | ({ readonly type: 'AbandonConnection' } & At)
  /** The beginning of an erasure, which still leaves the keys to write to the holder with. */
  | ({ readonly type: 'CloseConnection'; readonly tenant: string; readonly by: Eraser } & At)
  | EraseCommand
  /** The time of what its erasure leaves to be done has come. */
  | ({ readonly type: 'ContinueErasure' } & At)
  | WalkCommand
  /** Refuses unless exchanges may start; adds nothing, but stands in one batch with the exchange that is created. */
  | { readonly type: 'RequireConnectionReady'; readonly tenant: string }

type ResponseOutcome = Extract<
  ConnectionCommand,
  { type: 'RecordResponseDelivered' | 'RecordResponseFailed' | 'RecordResponseImpossible' }
>

type Moved = At & { readonly change: Change<ConnectionStatus> } & About
/** What a webhook says beside the change. */
type About = Pick<Request, 'tenant' | 'invitationId' | 'externalId'>

export type ConnectionEvent =
  | ({ readonly type: 'ConnectionRequested' } & At & Pick<Moved, 'change'> & Request)
  | AnswerEvent
  | ({ readonly type: 'ConnectionResponseSent' } & Moved)
  | ({ readonly type: 'ConnectionCompleted' } & Moved)
  | ({ readonly type: 'ConnectionAbandoned'; readonly errorMessage: string | null } & Moved)
  | ({ readonly type: 'ConnectionClosed'; readonly by: Eraser } & Moved)
  | RecordErased
  | WalkEvent

export type ConnectionEffect =
  | { readonly id: string; readonly kind: 'deliver-response'; readonly connection: ConnectionRecord }
  | {
      readonly id: string
      readonly kind: 'erase-exchanges'
      readonly connection: ConnectionRecord
      readonly page: ExchangePage
    }

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

const unknown = refuse('not_found', 'There is no connection with this id.')

export const connectionDecider: Decider<ConnectionTypes> = recordDecider({
  unknown,
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
        return atMostOne(isWaiting(state) ? planned(state.attempts, isSent(state), atMs) : null)
      // It waits for the answer, so it can be reached now.
      case 'RepeatRequest':
        return atMostOne(isWaiting(state) ? askedAgain(state.attempts, sentAtMs(state), atMs) : null)
      case 'GiveWay':
        return atMs >= state.createdAtMs + GIVES_WAY_MS
          ? abandon(state, atMs, 'The holder was slow, and too many others wanted to connect.')
          : NOTHING_HAPPENS
      case 'ReceiveConnectionComplete':
        return complete(state, atMs)
      case 'ReceiveConnectionProblem':
        return abandon(state, atMs, command.text === '' ? command.code : command.text)
      case 'AbandonConnection':
        return atMs >= state.waitingSinceMs + HOLDER_WAIT_MS
          ? abandon(state, atMs, 'The holder did not complete the connection within 24 hours.')
          : NOTHING_HAPPENS
      case 'CloseConnection':
        if (state.tenant !== command.tenant) return unknown
        return atMostOne(closed(state, command))
      case 'EraseRecord':
        // A connection has no end of its own, so its erasure ends it, whoever asks.
        return erasure(state, { ...command, withConnection: true }, { running: closed(state, command), unknown })
      case 'ContinueErasure':
        return continueErasure(state, atMs)
      case 'RecordExchangesErased':
        return atMostOne(pageErased(state, command))
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'RecordErased':
        return { ...erasedBy(state, event), ...nothingPersonal }
      case 'ConnectionExchangesErased':
      case 'ConnectionExchangesDue':
        return { ...state, closing: closingAfter(state, event) }
    }
    if (!('change' in event)) return answerAfter(state, event)
    return {
      ...state,
      ...timesAfter(state, event),
      status: event.change.state,
      errorMessage: event.type === 'ConnectionAbandoned' ? event.errorMessage : null,
      closing: event.type === 'ConnectionClosed' ? closingBy(event.by) : null,
    }
  },
  owed: (state) => {
    const { threadId } = state
    if (owesResponse(state)) {
      const id = `${threadId}:response:${attemptOf(state)}`
      return [{ id, kind: 'deliver-response', connection: state }]
    }
    const page = owedPage(state)
    if (page === null) return []
    const id = `${threadId}:erasure:${page.list}:${page.page}`
    return [{ id, kind: 'erase-exchanges', connection: state, page }]
  },
  timers: (state) =>
    isWaiting(state) ? [...holderWait(state), ...nextAttempt(state)] : closingTimer(state),
})

const nothingPersonal = {
  theirLabel: null,
  theirDid: null,
  theirService: null,
  ownSeed: null,
  errorMessage: null,
} as const

/** Null where it is closed already. */
const closed = (
  state: ConnectionRecord,
  { atMs, by }: At & { readonly by: Eraser },
): Extract<ConnectionEvent, { type: 'ConnectionClosed' }> | null =>
  state.closing === null ? { type: 'ConnectionClosed', atMs, by, ...to(state, 'closed') } : null

function continueErasure(state: ConnectionRecord, atMs: number): Decided {
  const { closing, tenant, erasedAtMs } = state
  const isDue = closingTimer(state).some(({ dueMs }) => dueMs <= atMs)
  if (closing === null || !isDue) return NOTHING_HAPPENS
  if (erasedAtMs !== null) return [{ type: 'ConnectionExchangesDue', atMs }]
  return erasure(state, { type: 'EraseRecord', atMs, tenant, by: closing.by }, { running: null, unknown })
}

/** The timer of the next attempt to answer; the other one is that of the wait for the holder. */
export const RESPONSE_TIMER = 'response'

const nextAttempt = ({ status, attempts: { nextAtMs, again } }: ConnectionRecord): readonly Timer[] =>
  nextAtMs !== null && (status === 'request-received' || again === 'planned')
    ? [{ id: RESPONSE_TIMER, dueMs: nextAtMs }]
    : []

const isSent = ({ status }: ConnectionRecord): boolean => status === 'response-sent'

const sentAtMs = (state: ConnectionRecord): number | null => (isSent(state) ? state.updatedAtMs : null)

const owesResponse = (state: ConnectionRecord): boolean =>
  isWaiting(state) && isOwed(state.attempts, isSent(state))

const attemptOf = (state: ConnectionRecord): string =>
  isSent(state) ? `again:${state.attempts.early}` : `${state.attempts.failed + 1}`

/** The outcome of an attempt that is not the one that is owed changes nothing. */
function responseTried(state: ConnectionRecord, command: ResponseOutcome): readonly ConnectionEvent[] {
  const { attempts, createdAtMs } = state
  const { atMs } = command
  if (isSent(state) && owesResponse(state)) return [{ type: 'ConnectionResponseRepeated', atMs }]
  if (state.status !== 'request-received') return NOTHING_HAPPENS
  if (command.type === 'RecordResponseDelivered') return [responseSent(state, atMs)]
  if (command.type === 'RecordResponseImpossible') return abandon(state, atMs, command.reason)
  if (!attempts.due || command.number !== attempts.failed + 1) return NOTHING_HAPPENS
  return [{ type: 'ConnectionResponseFailed', atMs, nextAtMs: nextAttemptAtMs(attempts, createdAtMs, atMs) }]
}

function answerAfter(state: ConnectionRecord, event: AnswerEvent): ConnectionRecord {
  const attempts = isWaiting(state) ? attemptsAfter(state.attempts, isSent(state), event) : null
  if (attempts === null) throw impossibleEvent(event, state.status)
  return { ...state, attempts }
}

const responseSent = (state: ConnectionRecord, atMs: number): ConnectionEvent => ({
  type: 'ConnectionResponseSent',
  atMs,
  ...to(state, 'response-sent'),
})

function abandon(state: ConnectionRecord, atMs: number, errorMessage: string): readonly ConnectionEvent[] {
  if (!isWaiting(state)) return NOTHING_HAPPENS
  return [{ type: 'ConnectionAbandoned', atMs, errorMessage, ...to(state, 'abandoned') }]
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

const to = (
  state: ConnectionRecord,
  next: ConnectionStatus,
): About & { readonly change: Change<ConnectionStatus> } => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  invitationId: state.invitationId,
  externalId: state.externalId,
})
