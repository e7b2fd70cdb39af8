import type { BodyReference } from '../../domain/body-reference.ts'
import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
import { afterEnd, decideEnd, isEndCommand, type EndCommand, type EndEvent } from '../../domain/endings.ts'
import {
  HOLDER_WAIT_MS,
  changeTo,
  declinedBy,
  firstChange,
  holderWait,
  messageLate,
  messageUnexpected,
  proposed,
  timesAfter,
  timesAt,
  type Change,
  type ExchangeTimes,
} from '../../domain/exchange.ts'
import { isOwedNow, lastWordTimer, owedAck, owedProblem, type LastWord } from '../../domain/last-word.ts'
import { PREFIX, type Prefixed } from '../../domain/message-prefix.ts'
import {
  isUnread,
  notOpened,
  opened,
  openedAgain,
  type Opening,
  openingTimer,
  stepOf,
} from '../../domain/opening.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/** Disclosed values by requested group. */
export type Disclosed = Readonly<Record<string, Readonly<Record<string, string>>>>

type Request = {
  readonly tenant: string
  readonly connectionId: string
  readonly externalId: string | null
  readonly proofTemplateId: string
  readonly threadId: string
  /** The AnonCreds proof request as JSON, relative dates resolved: what was asked is what is checked. */
  readonly request: string
}
/** What was asked is kept until the exchange is over. */
type Facts = Omit<Request, 'request'> & ExchangeTimes & Prefixed
type Asked = Facts & Pick<Request, 'request'>

/**
 *   request-sent ──presentation──▶ presentation-received ──verified──▶ done
 *       │ decline, a proposal              │
 *       ▼                                  ▼
 *    declined                          abandoned ◀── 24 h of silence, a problem
 */
export type RequestSent = Asked & { readonly status: 'request-sent' } & Opening
export type PresentationReceived = Asked & {
  readonly status: 'presentation-received'
  /** Deleted with the verification. */
  readonly presentation: BodyReference
}
export type ProofDone = Facts & {
  readonly status: 'done'
  readonly verified: boolean
  readonly disclosed: Disclosed | null
  readonly lastWord: LastWord | null
}
export type ProofEnded = Facts & {
  readonly status: 'declined' | 'abandoned'
  readonly errorMessage: string | null
  readonly lastWord: LastWord | null
}
export type ProofRecord = RequestSent | PresentationReceived | ProofDone | ProofEnded

type ProofStatus = ProofRecord['status']

type Timed = { readonly atMs: number }
type FromHolder = Timed & Prefixed & { readonly from: string }

export type ProofCommand =
  | ({ readonly type: 'RequestProof' } & Timed & Request)
  | ({ readonly type: 'RecordProofRequestDelivered' } & Timed & Pick<Opening, 'otherAtMs'>)
  /** The wallet is silent, and may read the other format alone. */
  | ({ readonly type: 'RequestInOtherFormat' } & Timed)
  | ({ readonly type: 'ReceivePresentation'; readonly presentation: BodyReference | null } & FromHolder)
  | ({
      readonly type: 'RecordProofVerified'
      readonly verified: boolean
      readonly disclosed: Disclosed
    } & Timed)
  | ({ readonly type: 'ReceiveProofProposal' } & FromHolder)
  | ({ readonly type: 'ReceiveProofProblem'; readonly code: string; readonly text: string } & FromHolder)
  | EndCommand
  | ({ readonly type: 'AbandonProof' } & Timed)

/** What a webhook says beside the change, carried by every event that moves the record. */
type About = Pick<Facts, 'tenant' | 'connectionId' | 'externalId' | 'proofTemplateId'>
type Moved = Timed & { readonly change: Change<ProofStatus> } & About
type Over = Moved & { readonly errorMessage: string | null; readonly problem: string | null }

export type ProofEvent =
  | ({ readonly type: 'ProofRequested' } & Timed & Pick<Moved, 'change'> & Request)
  | ({ readonly type: 'ProofRequestDelivered'; readonly otherAtMs: number | null } & Timed)
  | ({ readonly type: 'ProofRequestUnread' } & Timed)
  | ({ readonly type: 'PresentationReceived'; readonly presentation: BodyReference } & Moved & Prefixed)
  | ({
      readonly type: 'ProofVerified'
      readonly verified: boolean
      readonly disclosed: Disclosed | null
    } & Moved)
  | ({ readonly type: 'ProofDeclined' } & Over & Prefixed)
  | ({ readonly type: 'ProofAbandoned' } & Over)
  | EndEvent

export type ProofEffect =
  | { readonly id: string; readonly kind: 'deliver-proof-request'; readonly asked: RequestSent }
  | { readonly id: string; readonly kind: 'verify-presentation'; readonly received: PresentationReceived }
  | { readonly id: string; readonly kind: 'deliver-proof-ack'; readonly done: ProofDone }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly ended: ProofEnded }

export type ProofTypes = RecordTypes<ProofRecord, ProofCommand, ProofEvent, ProofEffect>

export const proof = referencesTo<ProofTypes>('pro')

type Decided = readonly ProofEvent[] | Refused
type Received = Extract<ProofCommand, { from: string }>
type Recorded = Exclude<
  Extract<ProofCommand, { type: `Record${string}` | 'RequestInOtherFormat' }>,
  EndCommand
>

const noSuchExchange = refuse('not_found', 'There is no proof exchange with this id.')
const isOver = (state: ProofRecord): state is ProofDone | ProofEnded => 'lastWord' in state

export const proofDecider: Decider<ProofTypes> = recordDecider({
  unknown: noSuchExchange,
  first: ['RequestProof', 'ProofRequested'],
  create: (command) => ({ ...command, type: 'ProofRequested', change: firstChange('request-sent') }),
  created: ({ change, ...asked }, atMs) => ({
    ...asked,
    ...timesAt(atMs, change),
    prefix: PREFIX,
    status: 'request-sent',
    ...notOpened,
  }),
  decide: (state, command) => {
    // An exchange is to be had over its own connection only.
    if ('from' in command)
      return command.from === state.connectionId ? receive(state, command) : noSuchExchange
    if (isEndCommand(command)) return end(state, command)
    if (command.type === 'AbandonProof') return abandon(state, command.atMs)
    return atMostOne(outcome(state, command))
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ProofRequestDelivered':
        if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
        return opened(state, 'request-presentation', event)
      case 'ProofRequestUnread':
        if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
        return openedAgain(state)
      case 'PresentationReceived': {
        if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
        const { presentation } = event
        const { request } = state
        return { ...movedOn(state, event), status: 'presentation-received', request, presentation }
      }
      case 'ProofVerified': {
        const { verified, disclosed } = event
        return { ...movedOn(state, event), status: 'done', verified, disclosed, lastWord: owedAck }
      }
      case 'ProofDeclined':
      case 'ProofAbandoned': {
        const status = event.type === 'ProofDeclined' ? 'declined' : 'abandoned'
        const { errorMessage, problem } = event
        const heard = event.type === 'ProofDeclined' ? declinedBy(state, event) : state
        return { ...movedOn(heard, event), status, errorMessage, lastWord: owedProblem(problem) }
      }
      case 'LastWordDelivered':
      case 'LastWordFailed':
      case 'LastWordDue':
      case 'RecordErased':
        if (!isOver(state)) throw impossibleEvent(event, state.status)
        return afterEnd(state, event, state.status === 'done' ? { disclosed: null } : { errorMessage: null })
    }
  },
  owed,
  timers: (state) => {
    if (isOver(state)) return lastWordTimer(state)
    return [...holderWait(state), ...(state.status === 'request-sent' ? openingTimer(state) : [])]
  },
})

function receive(state: ProofRecord, command: Received): Decided {
  const { type, atMs, prefix } = command
  if (type === 'ReceiveProofProblem') {
    if (isOver(state)) return NOTHING_HAPPENS
    const errorMessage = command.text === '' ? command.code : command.text
    if (state.status === 'request-sent')
      return [declined(state, { atMs, prefix, errorMessage, problem: null })]
    return [{ type: 'ProofAbandoned', atMs, errorMessage, problem: null, ...to(state, 'abandoned') }]
  }
  if (state.status === 'declined' || state.status === 'abandoned') return messageLate
  if (state.status !== 'request-sent') return NOTHING_HAPPENS
  if (type === 'ReceiveProofProposal') return [declined(state, { atMs, prefix, ...proposed })]
  const { presentation } = command
  if (presentation === null) return messageUnexpected
  return [{ type: 'PresentationReceived', atMs, prefix, presentation, ...to(state, 'presentation-received') }]
}

const declined = (
  state: ProofRecord,
  facts: Timed & Prefixed & Pick<Over, 'errorMessage' | 'problem'>,
): ProofEvent => ({ type: 'ProofDeclined', ...facts, ...to(state, 'declined') })

function end(state: ProofRecord, command: EndCommand): Decided {
  const { atMs } = command
  return decideEnd<Extract<ProofEvent, { type: 'ProofAbandoned' }>>(state, command, {
    over: isOver(state) ? state : null,
    unknown: noSuchExchange,
    // What was presented is verified all the same: nothing more is needed of its holder.
    ...(state.status === 'presentation-received' && { hungUp: null }),
    abandoned: (why) => ({ type: 'ProofAbandoned', atMs, ...why, ...to(state, 'abandoned') }),
  })
}

function abandon(state: ProofRecord, atMs: number): Decided {
  if (isOver(state) || atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return NOTHING_HAPPENS
  const errorMessage =
    state.status === 'request-sent'
      ? 'The holder did not answer within 24 hours.'
      : 'The presentation could not be verified within 24 hours.'
  const problem = 'The exchange was abandoned.'
  return [{ type: 'ProofAbandoned', atMs, errorMessage, problem, ...to(state, 'abandoned') }]
}

/** Outcomes of what was owed; an outcome that comes when nothing is owed any more changes nothing. */
function outcome(state: ProofRecord, command: Recorded): ProofEvent | null {
  const { atMs } = command
  switch (command.type) {
    case 'RecordProofRequestDelivered':
      return state.status === 'request-sent' && !state.delivered
        ? { type: 'ProofRequestDelivered', atMs, otherAtMs: command.otherAtMs ?? null }
        : null
    case 'RequestInOtherFormat':
      return state.status === 'request-sent' && isUnread(state, atMs)
        ? { type: 'ProofRequestUnread', atMs }
        : null
    case 'RecordProofVerified': {
      const { verified, disclosed } = command
      return state.status === 'presentation-received'
        ? { type: 'ProofVerified', atMs, verified, disclosed, ...to(state, 'done') }
        : null
    }
  }
}

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const movedOn = (state: ProofRecord, event: Extract<ProofEvent, { change: unknown }>): Facts => ({
  ...timesAfter(state, event),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  proofTemplateId: state.proofTemplateId,
  threadId: state.threadId,
  prefix: 'prefix' in event ? event.prefix : state.prefix,
})

function owed(state: ProofRecord): readonly ProofEffect[] {
  const id = (what: string): string => `${state.threadId}:${what}`
  switch (state.status) {
    case 'request-sent':
      return state.delivered
        ? []
        : [{ id: id(stepOf('request', state)), kind: 'deliver-proof-request', asked: state }]
    case 'presentation-received':
      return [{ id: id('verification'), kind: 'verify-presentation', received: state }]
    case 'done':
      return isOwedNow(state) ? [{ id: id('ack'), kind: 'deliver-proof-ack', done: state }] : []
    default:
      return isOwedNow(state) ? [{ id: id('problem'), kind: 'deliver-problem', ended: state }] : []
  }
}

const to = (state: ProofRecord, next: ProofStatus): Omit<Moved, 'atMs'> => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  proofTemplateId: state.proofTemplateId,
})
