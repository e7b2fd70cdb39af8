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
  messageUnexpected,
  timesAfter,
  timesAt,
  type Change,
  type ExchangeTimes,
} from '../../domain/exchange.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

export type DefinitionReference = { readonly catalogueId: string; readonly ledgerId: string }

/** What was offered. `attributes` is null once the record is erased. */
type Offer = {
  readonly tenant: string
  readonly connectionId: string
  readonly externalId: string | null
  readonly definition: DefinitionReference
  readonly threadId: string
  /** Of the AnonCreds offer; with the definition it is all that the offer needs, so the offer is not stored. */
  readonly nonce: string
  readonly attributes: Readonly<Record<string, string>> | null
}

type Facts = Offer & ExchangeTimes

/**
 *   offer-sent ──request──▶ request-received ──delivered──▶ credential-issued ──ack──▶ done
 *       │ decline                  │                              │
 *       ▼                          ▼                              ▼
 *    declined                  abandoned ◀── 24 h of silence, a problem, a request that can't be signed
 */
export type OfferSent = Facts & { readonly status: 'offer-sent'; readonly delivered: boolean }
export type RequestReceived = Facts & {
  readonly status: 'request-received'
  readonly request: string | null
  /** Signed and committed, not yet delivered: from here on no other signature can leave for this exchange. */
  readonly credential: string | null
}
export type CredentialIssued = Facts & { readonly status: 'credential-issued' }
export type CredentialOver = Facts & {
  readonly status: 'done' | 'declined' | 'abandoned'
  readonly errorMessage: string | null
  /** What the holder has yet to hear. */
  readonly problem: string | null
}
export type CredentialRecord = OfferSent | RequestReceived | CredentialIssued | CredentialOver
type CredentialStatus = CredentialRecord['status']

type At = { readonly atMs: number }
type FromHolder = At & { readonly from: string }

export type CredentialCommand =
  | ({ readonly type: 'OfferCredential' } & At & Offer & { readonly attributes: object })
  | ({ readonly type: 'RecordOfferDelivered' } & At)
  | ({ readonly type: 'ReceiveCredentialRequest'; readonly request: string } & FromHolder)
  | ({ readonly type: 'RecordCredentialSigned'; readonly credential: string } & At)
  | ({ readonly type: 'RecordSigningRefused'; readonly reason: string } & At)
  | ({ readonly type: 'RecordCredentialDelivered' } & At)
  | ({ readonly type: 'ReceiveCredentialAck' } & FromHolder)
  | ({ readonly type: 'ReceiveCredentialProblem'; readonly code: string; readonly text: string } & FromHolder)
  | ({ readonly type: 'RecordProblemDelivered' } & At)
  | ({ readonly type: 'AbandonCredential' } & At)

type Moved = At & { readonly change: Change<CredentialStatus> } & About
type Over = Moved & { readonly errorMessage: string | null }

export type CredentialEvent =
  | ({ readonly type: 'CredentialOffered' } & At & Pick<Moved, 'change'> & Offer)
  | ({ readonly type: 'CredentialOfferDelivered' } & At)
  | ({ readonly type: 'CredentialRequested'; readonly request: string | null } & Moved)
  | ({ readonly type: 'CredentialSigned'; readonly credential: string | null } & At)
  | ({ readonly type: 'CredentialDelivered' } & Moved)
  | ({ readonly type: 'CredentialAcknowledged' } & Moved)
  | ({ readonly type: 'CredentialDeclined' } & Over)
  | ({ readonly type: 'CredentialAbandoned'; readonly problem: string | null } & Over)
  | ({ readonly type: 'CredentialProblemDelivered' } & At)

/** What a webhook says beside the change, carried by every event that moves the record. */
export type About = Pick<Facts, 'tenant' | 'connectionId' | 'externalId'> & {
  readonly credentialDefinitionId: string
}

export type CredentialEffect =
  | { readonly id: string; readonly kind: 'deliver-offer'; readonly offer: OfferSent }
  | { readonly id: string; readonly kind: 'sign-credential'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'deliver-credential'; readonly requested: RequestReceived }
  | { readonly id: string; readonly kind: 'deliver-problem'; readonly over: CredentialOver }

export type CredentialTypes = RecordTypes<
  CredentialRecord,
  CredentialCommand,
  CredentialEvent,
  CredentialEffect
>

export const credential = referencesTo<CredentialTypes>('cre')

type Decided = readonly CredentialEvent[] | Refused
type Received = Extract<CredentialCommand, { from: string }>
type Recorded = Extract<CredentialCommand, { type: `Record${string}` }>

const noSuchExchange = refuse('not_found', 'There is no credential exchange with this id.')
const isOver = ({ status }: CredentialRecord): boolean =>
  status === 'done' || status === 'declined' || status === 'abandoned'

export const credentialDecider: Decider<CredentialTypes> = recordDecider({
  unknown: noSuchExchange,
  first: ['OfferCredential', 'CredentialOffered'],
  create: (command) => ({ ...command, type: 'CredentialOffered', change: firstChange('offer-sent') }),
  created: ({ change, ...offer }, atMs) => ({
    ...offer,
    ...timesAt(atMs, change),
    status: 'offer-sent',
    delivered: false,
  }),
  decide: (state, command) => {
    switch (command.type) {
      case 'ReceiveCredentialRequest':
      case 'ReceiveCredentialAck':
      case 'ReceiveCredentialProblem':
        // An exchange is to be had over its own connection only.
        return command.from === state.connectionId ? receive(state, command) : noSuchExchange
      case 'AbandonCredential':
        return abandon(state, command.atMs)
      default:
        return atMostOne(outcome(state, command))
    }
  },
  evolve,
  owed,
  timers: (state) => (isOver(state) ? [] : holderWait(state)),
})

function receive(state: CredentialRecord, command: Received): Decided {
  const { atMs } = command
  if (command.type === 'ReceiveCredentialRequest') {
    if (state.status === 'declined' || state.status === 'abandoned') return messageLate
    if (state.status !== 'offer-sent') return NOTHING_HAPPENS
    return [{ type: 'CredentialRequested', atMs, request: command.request, ...to(state, 'request-received') }]
  }
  if (command.type === 'ReceiveCredentialAck') return acknowledge(state, atMs)
  if (isOver(state)) return NOTHING_HAPPENS
  const errorMessage = command.text === '' ? command.code : command.text
  // The code alone does not separate a "no" from a failure; before the request it can only be a "no".
  if (state.status === 'offer-sent')
    return [{ type: 'CredentialDeclined', atMs, errorMessage, ...to(state, 'declined') }]
  return [{ type: 'CredentialAbandoned', atMs, errorMessage, problem: null, ...to(state, 'abandoned') }]
}

function acknowledge(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state)) return state.status === 'done' ? NOTHING_HAPPENS : messageLate
  // It can overtake our own note of the delivery: only a wallet that has the credential acknowledges it.
  if (state.status === 'credential-issued')
    return [{ type: 'CredentialAcknowledged', atMs, ...to(state, 'done') }]
  if (state.status !== 'request-received' || state.credential === null) return messageUnexpected
  const delivered: CredentialEvent = { type: 'CredentialDelivered', atMs, ...to(state, 'credential-issued') }
  const issued = evolve(state, delivered)
  return [delivered, { type: 'CredentialAcknowledged', atMs, ...to(issued, 'done') }]
}

function abandon(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state) || atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return NOTHING_HAPPENS
  const errorMessage = silenceOf[state.status] ?? null
  const problem = state.status === 'credential-issued' ? null : 'The exchange was abandoned.'
  return [{ type: 'CredentialAbandoned', atMs, errorMessage, problem, ...to(state, 'abandoned') }]
}

const silenceOf: Readonly<Record<string, string>> = {
  'offer-sent': 'The holder did not answer within 24 hours.',
  'request-received': 'The credential could not be delivered to the holder within 24 hours.',
  'credential-issued': 'The credential was sent; the holder did not acknowledge it within 24 hours.',
}

/** Outcomes of what was owed; an outcome that comes when nothing is owed any more changes nothing. */
function outcome(state: CredentialRecord, command: Recorded): CredentialEvent | null {
  const { type, atMs } = command
  if (type === 'RecordOfferDelivered')
    return state.status === 'offer-sent' && !state.delivered
      ? { type: 'CredentialOfferDelivered', atMs }
      : null
  if (type === 'RecordProblemDelivered')
    return 'problem' in state && state.problem !== null ? { type: 'CredentialProblemDelivered', atMs } : null
  if (state.status !== 'request-received') return null
  if (type === 'RecordCredentialDelivered')
    return state.credential === null
      ? null
      : { type: 'CredentialDelivered', atMs, ...to(state, 'credential-issued') }
  if (state.credential !== null) return null
  if (type === 'RecordCredentialSigned')
    return { type: 'CredentialSigned', atMs, credential: command.credential }
  const { reason: problem } = command
  return { type: 'CredentialAbandoned', atMs, errorMessage: problem, problem, ...to(state, 'abandoned') }
}

function evolve(
  state: CredentialRecord,
  event: Exclude<CredentialEvent, { type: 'CredentialOffered' }>,
): CredentialRecord {
  switch (event.type) {
    case 'CredentialOfferDelivered':
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return { ...state, delivered: true }
    case 'CredentialRequested':
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return {
        ...movedOn(state, event),
        status: 'request-received',
        request: event.request,
        credential: null,
      }
    case 'CredentialSigned':
      if (state.status !== 'request-received') throw impossibleEvent(event, state.status)
      // Erased means null in the event; the exchange has been signed all the same.
      return { ...state, request: null, credential: event.credential ?? '' }
    case 'CredentialDelivered':
      if (state.status !== 'request-received') throw impossibleEvent(event, state.status)
      return { ...movedOn(state, event), status: 'credential-issued' }
    case 'CredentialAcknowledged':
      return { ...movedOn(state, event), status: 'done', errorMessage: null, problem: null }
    case 'CredentialDeclined':
      return { ...movedOn(state, event), status: 'declined', errorMessage: event.errorMessage, problem: null }
    case 'CredentialAbandoned': {
      const { errorMessage, problem } = event
      return { ...movedOn(state, event), status: 'abandoned', errorMessage, problem }
    }
    case 'CredentialProblemDelivered':
      if (!('problem' in state)) throw impossibleEvent(event, state.status)
      return { ...state, problem: null }
  }
}

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const movedOn = (
  state: CredentialRecord,
  event: Extract<CredentialEvent, { change: unknown }>,
): Omit<CredentialRecord, 'status'> => {
  return {
    ...timesAfter(state, event),
    tenant: state.tenant,
    connectionId: state.connectionId,
    externalId: state.externalId,
    definition: state.definition,
    threadId: state.threadId,
    nonce: state.nonce,
    attributes: state.attributes,
  }
}

function owed(state: CredentialRecord): readonly CredentialEffect[] {
  const id = (what: string): string => `${state.threadId}:${what}`
  if (state.status === 'offer-sent')
    return state.delivered ? [] : [{ id: id('offer'), kind: 'deliver-offer', offer: state }]
  if (state.status === 'request-received') {
    return state.credential === null
      ? [{ id: id('signature'), kind: 'sign-credential', requested: state }]
      : [{ id: id('credential'), kind: 'deliver-credential', requested: state }]
  }
  if (!('problem' in state) || state.problem === null) return []
  return [{ id: id('problem'), kind: 'deliver-problem', over: state }]
}

const to = (
  state: CredentialRecord,
  next: CredentialStatus,
): { readonly change: Change<CredentialStatus> } & About => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  credentialDefinitionId: state.definition.catalogueId,
})
