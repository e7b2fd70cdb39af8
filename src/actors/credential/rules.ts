import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
import { afterEnd, decideEnd, isEndCommand, type EndCommand } from '../../domain/endings.ts'
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
} from '../../domain/exchange.ts'
import { isOwedNow, lastWordTimer, owedProblem } from '../../domain/last-word.ts'
import { PREFIX, type Prefixed } from '../../domain/message-prefix.ts'
import {
  isOpenedTwice,
  isUnread,
  notOpened,
  opened,
  openedAgain,
  openingTimer,
  stepOf,
} from '../../domain/opening.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import type {
  CredentialCommand,
  CredentialEffect,
  CredentialEvent,
  CredentialOver,
  CredentialRecord,
  CredentialStatus,
  Moved,
  Over,
  Timed,
} from './state.ts'

export type CredentialTypes = RecordTypes<
  CredentialRecord,
  CredentialCommand,
  CredentialEvent,
  CredentialEffect
>

export const credential = referencesTo<CredentialTypes>('cre')

type Decided = readonly CredentialEvent[] | Refused
type Received = Extract<CredentialCommand, { from: string }>
type Recorded = Exclude<
  Extract<CredentialCommand, { type: `Record${string}` | 'OfferInOtherFormat' }>,
  EndCommand
>

const noSuchExchange = refuse('not_found', 'There is no credential exchange with this id.')
const isOver = (state: CredentialRecord): state is CredentialOver => 'lastWord' in state

export const credentialDecider: Decider<CredentialTypes> = recordDecider({
  unknown: noSuchExchange,
  first: ['OfferCredential', 'CredentialOffered'],
  create: (command) => ({ ...command, type: 'CredentialOffered', change: firstChange('offer-sent') }),
  created: ({ change, ...offer }, atMs) => ({
    ...offer,
    ...timesAt(atMs, change),
    prefix: PREFIX,
    status: 'offer-sent',
    ...notOpened,
  }),
  decide: (state, command) => {
    // An exchange is to be had over its own connection only.
    if ('from' in command)
      return command.from === state.connectionId ? receive(state, command) : noSuchExchange
    if (isEndCommand(command)) return end(state, command)
    if (command.type === 'AbandonCredential') return abandon(state, command.atMs)
    return atMostOne(outcome(state, command))
  },
  evolve,
  owed,
  timers: (state) => {
    if (isOver(state)) return lastWordTimer(state)
    return [...holderWait(state), ...(state.status === 'offer-sent' ? openingTimer(state) : [])]
  },
})

function receive(state: CredentialRecord, command: Received): Decided {
  const { type, atMs, prefix } = command
  if (type === 'ReceiveCredentialAck') return acknowledge(state, atMs)
  if (type === 'ReceiveCredentialProblem') {
    if (isOver(state)) return NOTHING_HAPPENS
    const errorMessage = command.text === '' ? command.code : command.text
    // The code alone does not separate a "no" from a failure; before the request it can only be a "no".
    if (state.status === 'offer-sent') return [declined(state, { atMs, prefix, errorMessage, problem: null })]
    // ACA-Py takes the second offer in place of the first, and reports a failure of what goes on here.
    if (state.openedTwice === true) return NOTHING_HAPPENS
    return [{ type: 'CredentialAbandoned', atMs, errorMessage, problem: null, ...to(state, 'abandoned') }]
  }
  if (state.status === 'declined' || state.status === 'abandoned') return messageLate
  if (state.status !== 'offer-sent') return NOTHING_HAPPENS
  if (type === 'ReceiveCredentialProposal') return [declined(state, { atMs, prefix, ...proposed })]
  const { request, format = 'anoncreds' } = command
  if (request === null) return messageUnexpected
  return [{ type: 'CredentialRequested', atMs, prefix, request, format, ...to(state, 'request-received') }]
}

const declined = (
  state: CredentialRecord,
  facts: Timed & Prefixed & Pick<Over, 'errorMessage' | 'problem'>,
): CredentialEvent => ({ type: 'CredentialDeclined', ...facts, ...to(state, 'declined') })

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

function end(state: CredentialRecord, command: EndCommand): Decided {
  const { atMs } = command
  return decideEnd<Extract<CredentialEvent, { type: 'CredentialAbandoned' }>>(state, command, {
    over: isOver(state) ? state : null,
    unknown: noSuchExchange,
    ...cancelledWhen(state),
    abandoned: (why) => ({ type: 'CredentialAbandoned', atMs, ...why, ...to(state, 'abandoned') }),
  })
}

function abandon(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state) || atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return NOTHING_HAPPENS
  const errorMessage = silenceOf[state.status] ?? null
  const problem = state.status === 'credential-issued' ? null : 'The exchange was abandoned.'
  return [{ type: 'CredentialAbandoned', atMs, errorMessage, problem, ...to(state, 'abandoned') }]
}

/** What a wallet has cannot be revoked, so the organisation has to know that it may have it. */
const cancelledWhen = (
  state: CredentialRecord,
): { readonly cancelled?: string; readonly hungUp?: string } => {
  if (state.status === 'credential-issued')
    return {
      cancelled: 'The credential was sent; the organisation cancelled the exchange.',
      hungUp: 'The credential was sent; the holder closed the connection.',
    }
  return state.status === 'request-received' && state.credential !== null
    ? {
        cancelled: 'The organisation cancelled the exchange; the credential may have been sent before.',
        hungUp: 'The holder closed the connection; the credential may have been sent before.',
      }
    : {}
}

const silenceOf: Readonly<Record<string, string>> = {
  'offer-sent': 'The holder did not answer within 24 hours.',
  'request-received': 'The credential could not be delivered to the holder within 24 hours.',
  'credential-issued': 'The credential was sent; the holder did not acknowledge it within 24 hours.',
}

/** Outcomes of what was owed; an outcome that comes when nothing is owed any more changes nothing. */
function outcome(state: CredentialRecord, command: Recorded): CredentialEvent | null {
  const { type, atMs } = command
  if (type === 'OfferInOtherFormat')
    return state.status === 'offer-sent' && isUnread(state, atMs)
      ? { type: 'CredentialOfferUnread', atMs }
      : null
  if (type === 'RecordOfferDelivered')
    return state.status === 'offer-sent' && !state.delivered
      ? { type: 'CredentialOfferDelivered', atMs, otherAtMs: command.otherAtMs ?? null }
      : null
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
      return opened(state, 'offer-credential', event)
    case 'CredentialOfferUnread':
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return openedAgain(state)
    case 'CredentialRequested':
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return {
        ...movedOn(state, event),
        status: 'request-received',
        request: event.request,
        format: event.format,
        ...(isOpenedTwice(state) && { openedTwice: true }),
        credential: null,
      }
    case 'CredentialSigned':
      if (state.status !== 'request-received') throw impossibleEvent(event, state.status)
      return { ...state, request: null, credential: event.credential }
    case 'CredentialDelivered':
      if (state.status !== 'request-received') throw impossibleEvent(event, state.status)
      return {
        ...movedOn(state, event),
        status: 'credential-issued',
        ...(state.openedTwice === true && { openedTwice: true }),
        credential: state.credential,
      }
    case 'CredentialAcknowledged':
      return { ...movedOn(state, event), status: 'done', errorMessage: null, lastWord: null }
    case 'CredentialDeclined':
    case 'CredentialAbandoned': {
      const status = event.type === 'CredentialDeclined' ? 'declined' : 'abandoned'
      const { errorMessage, problem } = event
      const heard = event.type === 'CredentialDeclined' ? declinedBy(state, event) : state
      return { ...movedOn(heard, event), status, errorMessage, lastWord: owedProblem(problem) }
    }
    case 'LastWordDelivered':
    case 'LastWordFailed':
    case 'LastWordDue':
    case 'RecordErased':
      if (!isOver(state)) throw impossibleEvent(event, state.status)
      return afterEnd(state, event, { attributes: null, errorMessage: null })
  }
}

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const movedOn = (
  state: CredentialRecord,
  event: Extract<CredentialEvent, { change: unknown }>,
): Omit<CredentialRecord, 'status'> => ({
  ...timesAfter(state, event),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  definition: state.definition,
  threadId: state.threadId,
  nonce: state.nonce,
  attributes: state.attributes,
  prefix: 'prefix' in event ? event.prefix : state.prefix,
})

function owed(state: CredentialRecord): readonly CredentialEffect[] {
  const id = (what: string): string => `${state.threadId}:${what}`
  if (state.status === 'offer-sent')
    return state.delivered ? [] : [{ id: id(stepOf('offer', state)), kind: 'deliver-offer', offer: state }]
  if (state.status === 'request-received') {
    return state.credential === null
      ? [{ id: id('signature'), kind: 'sign-credential', requested: state }]
      : [{ id: id('credential'), kind: 'deliver-credential', requested: state }]
  }
  return isOver(state) && isOwedNow(state)
    ? [{ id: id('problem'), kind: 'deliver-problem', over: state }]
    : []
}

const to = (state: CredentialRecord, next: CredentialStatus): Omit<Moved, 'atMs'> => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  credentialDefinitionId: state.definition.catalogueId,
})
