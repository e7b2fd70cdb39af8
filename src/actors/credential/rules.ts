import {
  NOTHING_HAPPENS,
  atMostOne,
  isRefused,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
import { decideEnd, isEndCommand, type EndCommand, type Why } from '../../domain/endings.ts'
import {
  HOLDER_WAIT_MS,
  changeTo,
  firstChange,
  holderWait,
  messageLate,
  messageUnexpected,
  proposed,
  timesAt,
} from '../../domain/exchange.ts'
import {
  begunAgain,
  faceAfter,
  faceAtEnd,
  faceCheckRefused,
  faceOf,
  faceTimer,
  faceWindowOver,
  isHeld,
  isWindowOver,
  stepToTell,
  type RecordFaceCheck,
} from '../../domain/face-check.ts'
import { isOwedNow, lastWordTimer } from '../../domain/last-word.ts'
import { PREFIX, type Prefixed } from '../../domain/message-prefix.ts'
import { isUnread, notOpened, openingTimer, stepOf } from '../../domain/opening.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import { evolveCredential, isOver } from './evolve.ts'
import type {
  CredentialCommand,
  CredentialEffect,
  CredentialEvent,
  CredentialOver,
  CredentialRecord,
  CredentialStatus,
  Moved,
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
  EndCommand | RecordFaceCheck
>

const noSuchExchange = refuse('not_found', 'There is no credential exchange with this id.')

export const credentialDecider: Decider<CredentialTypes> = recordDecider({
  unknown: noSuchExchange,
  first: ['OfferCredential', 'CredentialOffered'],
  create: (command) => ({ ...command, type: 'CredentialOffered', change: firstChange('offer-sent') }),
  again: begunAgain,
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
    if (command.type === 'RecordFaceCheck') return checked(state, command)
    if (command.type === 'AbandonForFaceCheck') return unchecked(state, command.atMs)
    return atMostOne(outcome(state, command))
  },
  evolve: evolveCredential,
  owed,
  timers: (state) => {
    if (isOver(state)) return lastWordTimer(state)
    const opening = state.status === 'offer-sent' ? openingTimer(state) : []
    return [...holderWait(state), ...faceTimer(state), ...opening]
  },
})

function receive(state: CredentialRecord, command: Received): Decided {
  const { type, atMs, prefix } = command
  if (type === 'ReceiveCredentialAck') return acknowledge(state, atMs)
  if (type === 'ReceiveCredentialProblem') {
    if (isOver(state)) return NOTHING_HAPPENS
    const errorMessage = command.text === '' ? command.code : command.text
    // The code alone does not separate a "no" from a failure; before the request it can only be a "no".
    if (state.status === 'offer-sent')
      return [declined(state, { atMs, prefix, errorMessage, problem: null, failure: 'declined_by_holder' })]
    // ACA-Py takes the second offer in place of the first, and reports a failure of what goes on here.
    if (state.openedTwice === true) return NOTHING_HAPPENS
    return [abandoned(state, { atMs, errorMessage, problem: null, failure: 'reported_by_wallet' })]
  }
  if (state.status === 'declined' || state.status === 'abandoned') return messageLate
  if (state.status !== 'offer-sent') return NOTHING_HAPPENS
  if (type === 'ReceiveCredentialProposal') return [declined(state, { atMs, prefix, ...proposed })]
  const { request, format = 'anoncreds' } = command
  if (request === null) return messageUnexpected
  return [{ type: 'CredentialRequested', atMs, prefix, request, format, ...to(state, 'request-received') }]
}

const declined = (state: CredentialRecord, facts: Timed & Prefixed & Why): CredentialEvent => ({
  type: 'CredentialDeclined',
  ...facts,
  ...ended(state, 'declined', facts.atMs),
})

const abandoned = (
  state: CredentialRecord,
  facts: Timed & Why,
): Extract<CredentialEvent, { type: 'CredentialAbandoned' }> => ({
  type: 'CredentialAbandoned',
  ...facts,
  ...ended(state, 'abandoned', facts.atMs),
})

function acknowledge(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state)) return state.status === 'done' ? NOTHING_HAPPENS : messageLate
  // It can overtake our own note of the delivery: only a wallet that has the credential acknowledges it.
  if (state.status === 'credential-issued')
    return [{ type: 'CredentialAcknowledged', atMs, ...to(state, 'done') }]
  if (state.status !== 'request-received' || state.credential === null) return messageUnexpected
  const delivered: CredentialEvent = { type: 'CredentialDelivered', atMs, ...to(state, 'credential-issued') }
  const issued = evolveCredential(state, delivered)
  return [delivered, { type: 'CredentialAcknowledged', atMs, ...to(issued, 'done') }]
}

function end(state: CredentialRecord, command: EndCommand): Decided {
  const { atMs } = command
  return decideEnd<Extract<CredentialEvent, { type: 'CredentialAbandoned' }>>(state, command, {
    over: isOver(state) ? state : null,
    unknown: noSuchExchange,
    ...cancelledWhen(state),
    abandoned: (why) => abandoned(state, { atMs, ...why }),
  })
}

function abandon(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state)) return NOTHING_HAPPENS
  const problem = state.status === 'credential-issued' ? null : 'The exchange was abandoned.'
  if (isWindowOver(state, atMs)) return [abandoned(state, { atMs, problem, ...faceWindowOver })]
  if (atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return NOTHING_HAPPENS
  const isUnchecked = state.status === 'request-received' && isHeld(state)
  return [abandoned(state, { atMs, problem, ...(isUnchecked ? notChecked : silenceOf[state.status]) })]
}

function checked(state: CredentialRecord, command: RecordFaceCheck): Decided {
  if (isOver(state)) return messageLate
  const face = faceAfter(state, command)
  if (isRefused(face)) return face
  const { atMs } = command
  return [{ type: 'CredentialFaceChecked', atMs, ...to(state, state.status), ...face }]
}

/** Whatever the wallet has given up belongs to a check that is not decided; a decided one has no word in it any more. */
function unchecked(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state) || !isHeld(state)) return NOTHING_HAPPENS
  return [abandoned(state, { atMs, problem: null, ...faceCheckRefused })]
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

const notChecked = {
  errorMessage: 'The face check was not passed.',
  failure: 'face_check_not_passed',
} as const

type Running = Exclude<CredentialStatus, CredentialOver['status']>

const silenceOf: Readonly<Record<Running, Omit<Why, 'problem'>>> = {
  'offer-sent': { errorMessage: 'The holder did not answer within 24 hours.', failure: 'no_answer' },
  'request-received': {
    errorMessage: 'The credential could not be delivered to the holder within 24 hours.',
    failure: 'not_delivered',
  },
  'credential-issued': {
    errorMessage: 'The credential was sent; the holder did not acknowledge it within 24 hours.',
    failure: 'not_acknowledged',
  },
}

/** Outcomes of what was owed; an outcome that comes when nothing is owed any more changes nothing. */
function outcome(state: CredentialRecord, command: Recorded): CredentialEvent | null {
  const { type, atMs } = command
  if (type === 'OfferInOtherFormat')
    return state.status === 'offer-sent' && isUnread(state, atMs)
      ? { type: 'CredentialOfferUnread', atMs }
      : null
  if (type === 'RecordOfferDelivered')
    return isToDeliver(state)
      ? { type: 'CredentialOfferDelivered', atMs, otherAtMs: command.otherAtMs ?? null }
      : null
  if (state.status !== 'request-received') return null
  if (type === 'RecordCredentialDelivered')
    return state.credential === null
      ? null
      : { type: 'CredentialDelivered', atMs, ...to(state, 'credential-issued') }
  if (state.credential !== null || isHeld(state)) return null
  if (type === 'RecordCredentialSigned')
    return { type: 'CredentialSigned', atMs, credential: command.credential }
  const { reason: problem } = command
  return abandoned(state, { atMs, errorMessage: problem, problem, failure: 'signing_refused' })
}

/** The offer, or what comes behind it: that a face check is required. */
const isToDeliver = (state: CredentialRecord): boolean =>
  state.status === 'offer-sent'
    ? !state.delivered
    : state.status === 'request-received' && stepToTell(state) !== null

function owed(state: CredentialRecord): readonly CredentialEffect[] {
  const id = (what: string): string => `${state.threadId}:${what}`
  if (state.status === 'offer-sent')
    return state.delivered ? [] : [{ id: id(stepOf('offer', state)), kind: 'deliver-offer', offer: state }]
  if (state.status === 'request-received') {
    if (state.credential !== null)
      return [{ id: id('credential'), kind: 'deliver-credential', requested: state }]
    // The same step as before, which may be under way: then it begins no second time.
    const step = stepToTell(state)
    if (step !== null) return [{ id: id(step), kind: 'tell-of-check', requested: state }]
    return isHeld(state) ? [] : [{ id: id('signature'), kind: 'sign-credential', requested: state }]
  }
  if (!isOver(state)) return []
  return [
    ...(isOwedNow(state) ? [{ id: id('problem'), kind: 'deliver-problem', over: state } as const] : []),
    ...(state.checkToEnd === true
      ? [{ id: id('face-check'), kind: 'end-face-check', over: state } as const]
      : []),
  ]
}

const to = (state: CredentialRecord, next: CredentialStatus): Omit<Moved, 'atMs'> => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  credentialDefinitionId: state.definition.catalogueId,
  ...faceOf(state),
})

const ended = (
  state: CredentialRecord,
  next: 'declined' | 'abandoned',
  atMs: number,
): Omit<Moved, 'atMs'> => ({ ...to(state, next), ...faceAtEnd(state, atMs) })
