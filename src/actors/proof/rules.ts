import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
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
type Facts = Request & ExchangeTimes

/**
 *   request-sent ──presentation──▶ presentation-received ──verified──▶ done
 *       │ decline                          │
 *       ▼                                  ▼
 *    declined                          abandoned ◀── 24 h of silence, a problem
 */
export type RequestSent = Facts & { readonly status: 'request-sent'; readonly delivered: boolean }
export type PresentationReceived = Facts & {
  readonly status: 'presentation-received'
  /** JSON; dropped with the verification. Null when it was erased. */
  readonly presentation: string | null
}
export type ProofDone = Facts & {
  readonly status: 'done'
  readonly verified: boolean
  readonly disclosed: Disclosed | null
  /** The holder has yet to hear that its presentation arrived. */
  readonly ackOwed: boolean
}
export type ProofEnded = Facts & {
  readonly status: 'declined' | 'abandoned'
  readonly errorMessage: string | null
  readonly problem: string | null
}
export type ProofRecord = RequestSent | PresentationReceived | ProofDone | ProofEnded

type ProofStatus = ProofRecord['status']

type At = { readonly atMs: number }
type FromHolder = At & { readonly from: string }

export type ProofCommand =
  | ({ readonly type: 'RequestProof' } & At & Request)
  | ({ readonly type: 'RecordProofRequestDelivered' } & At)
  | ({ readonly type: 'ReceivePresentation'; readonly presentation: string } & FromHolder)
  | ({ readonly type: 'RecordProofVerified'; readonly verified: boolean; readonly disclosed: Disclosed } & At)
  | ({ readonly type: 'RecordProofAckDelivered' } & At)
  | ({ readonly type: 'ReceiveProofProblem'; readonly code: string; readonly text: string } & FromHolder)
  | ({ readonly type: 'RecordProblemDelivered' } & At)
  | ({ readonly type: 'AbandonProof' } & At)

/** What a webhook says beside the change, carried by every event that moves the record. */
type About = Pick<Facts, 'tenant' | 'connectionId' | 'externalId' | 'proofTemplateId'>
type Moved = At & { readonly change: Change<ProofStatus> } & About
type Over = Moved & { readonly errorMessage: string | null }

export type ProofEvent =
  | ({ readonly type: 'ProofRequested' } & At & Pick<Moved, 'change'> & Request)
  | ({ readonly type: 'ProofRequestDelivered' } & At)
  | ({ readonly type: 'PresentationReceived'; readonly presentation: string | null } & Moved)
  | ({
      readonly type: 'ProofVerified'
      readonly verified: boolean
      readonly disclosed: Disclosed | null
    } & Moved)
  | ({ readonly type: 'ProofAckDelivered' } & At)
  | ({ readonly type: 'ProofDeclined' } & Over)
  | ({ readonly type: 'ProofAbandoned'; readonly problem: string | null } & Over)
  | ({ readonly type: 'ProofProblemDelivered' } & At)

export type ProofEffect =
  | { readonly id: string; readonly kind: 'deliver-proof-request'; readonly asked: RequestSent }
  | { readonly id: string; readonly kind: 'verify-presentation'; readonly received: PresentationReceived }
  | { readonly id: string; readonly kind: 'deliver-proof-ack'; readonly done: ProofDone }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly ended: ProofEnded }

export type ProofTypes = RecordTypes<ProofRecord, ProofCommand, ProofEvent, ProofEffect>

export const proof = referencesTo<ProofTypes>('pro')

type Decided = readonly ProofEvent[] | Refused
type Received = Extract<ProofCommand, { from: string }>
type Recorded = Extract<ProofCommand, { type: `Record${string}` }>

const noSuchExchange = refuse('not_found', 'There is no proof exchange with this id.')
const isOver = ({ status }: ProofRecord): boolean =>
  status === 'done' || status === 'declined' || status === 'abandoned'

export const proofDecider: Decider<ProofTypes> = recordDecider({
  unknown: noSuchExchange,
  first: ['RequestProof', 'ProofRequested'],
  create: (command) => ({ ...command, type: 'ProofRequested', change: firstChange('request-sent') }),
  created: ({ change, ...asked }, atMs) => ({
    ...asked,
    ...timesAt(atMs, change),
    status: 'request-sent',
    delivered: false,
  }),
  decide: (state, command) => {
    switch (command.type) {
      case 'ReceivePresentation':
      case 'ReceiveProofProblem':
        // An exchange is to be had over its own connection only.
        return command.from === state.connectionId ? receive(state, command) : noSuchExchange
      case 'AbandonProof':
        return abandon(state, command.atMs)
      default:
        return atMostOne(outcome(state, command))
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ProofRequestDelivered':
        if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
        return { ...state, delivered: true }
      case 'PresentationReceived':
        return { ...movedOn(state, event), status: 'presentation-received', presentation: event.presentation }
      case 'ProofVerified': {
        const { verified, disclosed } = event
        return { ...movedOn(state, event), status: 'done', verified, disclosed, ackOwed: true }
      }
      case 'ProofAckDelivered':
        if (state.status !== 'done') throw impossibleEvent(event, state.status)
        return { ...state, ackOwed: false }
      case 'ProofDeclined':
        return {
          ...movedOn(state, event),
          status: 'declined',
          errorMessage: event.errorMessage,
          problem: null,
        }
      case 'ProofAbandoned':
        return {
          ...movedOn(state, event),
          status: 'abandoned',
          errorMessage: event.errorMessage,
          problem: event.problem,
        }
      case 'ProofProblemDelivered':
        if (!('problem' in state)) throw impossibleEvent(event, state.status)
        return { ...state, problem: null }
    }
  },
  owed,
  timers: (state) => (isOver(state) ? [] : holderWait(state)),
})

function receive(state: ProofRecord, command: Received): Decided {
  const { atMs } = command
  if (command.type === 'ReceivePresentation') {
    if (state.status === 'declined' || state.status === 'abandoned') return messageLate
    if (state.status !== 'request-sent') return NOTHING_HAPPENS
    const { presentation } = command
    return [{ type: 'PresentationReceived', atMs, presentation, ...to(state, 'presentation-received') }]
  }
  if (isOver(state)) return NOTHING_HAPPENS
  const errorMessage = command.text === '' ? command.code : command.text
  if (state.status === 'request-sent')
    return [{ type: 'ProofDeclined', atMs, errorMessage, ...to(state, 'declined') }]
  return [{ type: 'ProofAbandoned', atMs, errorMessage, problem: null, ...to(state, 'abandoned') }]
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
        ? { type: 'ProofRequestDelivered', atMs }
        : null
    case 'RecordProofVerified': {
      const { verified, disclosed } = command
      return state.status === 'presentation-received'
        ? { type: 'ProofVerified', atMs, verified, disclosed, ...to(state, 'done') }
        : null
    }
    case 'RecordProofAckDelivered':
      return state.status === 'done' && state.ackOwed ? { type: 'ProofAckDelivered', atMs } : null
    case 'RecordProblemDelivered':
      return 'problem' in state && state.problem !== null ? { type: 'ProofProblemDelivered', atMs } : null
  }
}

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const movedOn = (
  state: ProofRecord,
  event: Extract<ProofEvent, { change: unknown }>,
): Omit<ProofRecord, 'status'> => {
  return {
    ...timesAfter(state, event),
    tenant: state.tenant,
    connectionId: state.connectionId,
    externalId: state.externalId,
    proofTemplateId: state.proofTemplateId,
    threadId: state.threadId,
    request: state.request,
  }
}

function owed(state: ProofRecord): readonly ProofEffect[] {
  const id = (what: string): string => `${state.threadId}:${what}`
  switch (state.status) {
    case 'request-sent':
      return state.delivered ? [] : [{ id: id('request'), kind: 'deliver-proof-request', asked: state }]
    case 'presentation-received':
      return [{ id: id('verification'), kind: 'verify-presentation', received: state }]
    case 'done':
      return state.ackOwed ? [{ id: id('ack'), kind: 'deliver-proof-ack', done: state }] : []
    default:
      return state.problem === null ? [] : [{ id: id('problem'), kind: 'deliver-problem', ended: state }]
  }
}

const to = (state: ProofRecord, next: ProofStatus): { readonly change: Change<ProofStatus> } & About => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  proofTemplateId: state.proofTemplateId,
})
