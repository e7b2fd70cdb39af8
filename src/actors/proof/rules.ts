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
import { evolveProof, isOver } from './evolve.ts'
import type {
  Moved,
  PresentationReceived,
  ProofCommand,
  ProofEffect,
  ProofEvent,
  ProofRecord,
  ProofStatus,
  Timed,
} from './state.ts'

export type ProofTypes = RecordTypes<ProofRecord, ProofCommand, ProofEvent, ProofEffect>

export const proof = referencesTo<ProofTypes>('pro')

type Decided = readonly ProofEvent[] | Refused
type Received = Extract<ProofCommand, { from: string }>
type Recorded = Exclude<
  Extract<ProofCommand, { type: `Record${string}` | 'RequestInOtherFormat' }>,
  EndCommand | RecordFaceCheck
>

const noSuchExchange = refuse('not_found', 'There is no proof exchange with this id.')

export const proofDecider: Decider<ProofTypes> = recordDecider({
  unknown: noSuchExchange,
  first: ['RequestProof', 'ProofRequested'],
  create: (command) => ({ ...command, type: 'ProofRequested', change: firstChange('request-sent') }),
  again: begunAgain,
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
    if (command.type === 'RecordFaceCheck') return checked(state, command)
    if (command.type === 'AbandonForFaceCheck') return unchecked(state, command.atMs)
    return atMostOne(outcome(state, command))
  },
  evolve: evolveProof,
  owed,
  timers: (state) => {
    if (isOver(state)) return lastWordTimer(state)
    const opening = state.status === 'request-sent' ? openingTimer(state) : []
    return [...holderWait(state), ...faceTimer(state), ...opening]
  },
})

function receive(state: ProofRecord, command: Received): Decided {
  const { type, atMs, prefix } = command
  if (type === 'ReceiveProofProblem') {
    if (isOver(state)) return NOTHING_HAPPENS
    const errorMessage = command.text === '' ? command.code : command.text
    if (state.status === 'request-sent')
      return [declined(state, { atMs, prefix, errorMessage, problem: null, failure: 'declined_by_holder' })]
    return [abandoned(state, { atMs, errorMessage, problem: null, failure: 'reported_by_wallet' })]
  }
  if (state.status === 'declined' || state.status === 'abandoned') return messageLate
  if (state.status !== 'request-sent') return NOTHING_HAPPENS
  if (type === 'ReceiveProofProposal') return [declined(state, { atMs, prefix, ...proposed })]
  const { presentation } = command
  if (presentation === null) return messageUnexpected
  return [{ type: 'PresentationReceived', atMs, prefix, presentation, ...to(state, 'presentation-received') }]
}

const declined = (state: ProofRecord, facts: Timed & Prefixed & Why): ProofEvent => ({
  type: 'ProofDeclined',
  ...facts,
  ...ended(state, 'declined', facts.atMs),
})

const abandoned = (
  state: ProofRecord,
  facts: Timed & Why,
): Extract<ProofEvent, { type: 'ProofAbandoned' }> => ({
  type: 'ProofAbandoned',
  ...facts,
  ...ended(state, 'abandoned', facts.atMs),
})

function end(state: ProofRecord, command: EndCommand): Decided {
  const { atMs } = command
  return decideEnd<Extract<ProofEvent, { type: 'ProofAbandoned' }>>(state, command, {
    over: isOver(state) ? state : null,
    unknown: noSuchExchange,
    // What was presented is verified all the same, unless more is needed of its holder: a face check that is passed.
    ...(state.status === 'presentation-received' && !isHeld(state) && { hungUp: null }),
    abandoned: (why) => abandoned(state, { atMs, ...why }),
  })
}

function abandon(state: ProofRecord, atMs: number): Decided {
  if (isOver(state)) return NOTHING_HAPPENS
  const problem = 'The exchange was abandoned.'
  if (isWindowOver(state, atMs)) return [abandoned(state, { atMs, problem, ...faceWindowOver })]
  if (atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return NOTHING_HAPPENS
  return [abandoned(state, { atMs, problem, ...silenceOf(state) })]
}

const silenceOf = (state: ProofRecord): Omit<Why, 'problem'> => {
  if (state.status === 'request-sent')
    return { errorMessage: 'The holder did not answer within 24 hours.', failure: 'no_answer' }
  if (isHeld(state))
    return { errorMessage: 'The face check was not passed.', failure: 'face_check_not_passed' }
  return {
    errorMessage: 'The presentation could not be verified within 24 hours.',
    failure: 'verification_failed',
  }
}

function checked(state: ProofRecord, command: RecordFaceCheck): Decided {
  if (isOver(state)) return messageLate
  const face = faceAfter(state, command)
  if (isRefused(face)) return face
  const { atMs } = command
  return [{ type: 'ProofFaceChecked', atMs, ...to(state, state.status), ...face }]
}

/** Whatever the wallet has given up belongs to a check that is not decided; a decided one has no word in it any more. */
function unchecked(state: ProofRecord, atMs: number): Decided {
  if (isOver(state) || !isHeld(state)) return NOTHING_HAPPENS
  return [abandoned(state, { atMs, problem: null, ...faceCheckRefused })]
}

/** Outcomes of what was owed; an outcome that comes when nothing is owed any more changes nothing. */
function outcome(state: ProofRecord, command: Recorded): ProofEvent | null {
  const { atMs } = command
  switch (command.type) {
    case 'RecordProofRequestDelivered':
      return isToDeliver(state)
        ? { type: 'ProofRequestDelivered', atMs, otherAtMs: command.otherAtMs ?? null }
        : null
    case 'RequestInOtherFormat':
      return state.status === 'request-sent' && isUnread(state, atMs)
        ? { type: 'ProofRequestUnread', atMs }
        : null
    case 'RecordProofHeld': {
      // The check may have been passed while the presentation was verified; then the result is released at once.
      const isAwaited = state.status === 'presentation-received' && state.presentation !== null
      return isAwaited && state.faceCheck !== undefined
        ? { type: 'ProofHeld', atMs, result: command.result }
        : null
    }
    case 'RecordProofVerified': {
      const { verified, disclosed } = command
      return state.status === 'presentation-received' && !isHeld(state)
        ? { type: 'ProofVerified', atMs, verified, disclosed, ...to(state, 'done') }
        : null
    }
  }
}

/** The request, or what comes behind it: that a face check is required. */
const isToDeliver = (state: ProofRecord): boolean =>
  state.status === 'request-sent'
    ? !state.delivered
    : state.status === 'presentation-received' && stepToTell(state) !== null

function owed(state: ProofRecord): readonly ProofEffect[] {
  const id = (what: string): string => `${state.threadId}:${what}`
  switch (state.status) {
    case 'request-sent':
      return state.delivered
        ? []
        : [{ id: id(stepOf('request', state)), kind: 'deliver-proof-request', asked: state }]
    case 'presentation-received': {
      // The same step as before, which may be under way: then it begins no second time.
      const step = stepToTell(state)
      return [
        ...(step === null ? [] : [{ id: id(step), kind: 'tell-of-check', received: state } as const]),
        ...owedOfResult(state, id),
      ]
    }
    case 'done':
      return isOwedNow(state) ? [{ id: id('ack'), kind: 'deliver-proof-ack', done: state }] : []
    default:
      return [
        ...(isOwedNow(state) ? [{ id: id('problem'), kind: 'deliver-problem', ended: state } as const] : []),
        ...(state.checkToEnd === true
          ? [{ id: id('face-check'), kind: 'end-face-check', ended: state } as const]
          : []),
      ]
  }
}

const owedOfResult = (state: PresentationReceived, id: (what: string) => string): readonly ProofEffect[] => {
  if (state.presentation !== null)
    return [{ id: id('verification'), kind: 'verify-presentation', received: state }]
  return isHeld(state) ? [] : [{ id: id('release'), kind: 'release-result', received: state }]
}

const to = (state: ProofRecord, next: ProofStatus): Omit<Moved, 'atMs'> => ({
  change: changeTo(state, next),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  proofTemplateId: state.proofTemplateId,
  ...faceOf(state),
})

const ended = (state: ProofRecord, next: 'declined' | 'abandoned', atMs: number): Omit<Moved, 'atMs'> => ({
  ...to(state, next),
  ...faceAtEnd(state, atMs),
})
