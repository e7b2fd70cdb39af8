import type { OldDecider, Decision } from '../../domain/decider.ts'
import { ABANDON_TIMER, HOLDER_WAIT_MS, met } from '../../domain/exchange.ts'
import { refuse } from '../../domain/refused.ts'
import { evolveCredential } from './evolve.ts'
import type {
  About,
  CredentialCommand,
  CredentialEffect,
  CredentialEvent,
  CredentialRecord,
  CredentialReply,
  CredentialState,
  CredentialStatus,
} from './state.ts'

type Decided = Decision<CredentialEvent, CredentialReply>

const nothing = (reply: CredentialReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no credential exchange with this id.'))
const isOver = (state: CredentialRecord): boolean =>
  state.status === 'done' || state.status === 'declined' || state.status === 'abandoned'

export const credentialDecider: OldDecider<
  CredentialState,
  CredentialCommand,
  CredentialEvent,
  CredentialReply,
  CredentialEffect
> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state, command) => {
    if (state.status === 'none') return unknown().reply
    return command.type.startsWith('Receive') ? met('repeated') : { credential: state }
  },
  evolve: evolveCredential,
  owed,
  timers: (state) =>
    state.status === 'none' || isOver(state)
      ? []
      : [{ id: ABANDON_TIMER, dueMs: state.waitingSinceMs + HOLDER_WAIT_MS }],
}

function decide(state: CredentialState, command: CredentialCommand): Decided {
  if (command.type === 'OfferCredential') return offer(state, command)
  if (state.status === 'none') return unknown()
  switch (command.type) {
    case 'ReadCredential':
      return nothing({ credential: state })
    case 'ReceiveCredentialRequest':
    case 'ReceiveCredentialAck':
    case 'ReceiveCredentialProblem':
      return receive(state, command)
    case 'AbandonCredential':
      return abandon(state, command.atMs)
    default:
      return record(state, command)
  }
}

function offer(state: CredentialState, command: CredentialCommand & { type: 'OfferCredential' }): Decided {
  if (state.status !== 'none') return nothing({ credential: state })
  const { type: _, ...facts } = command
  const change = { state: 'offer-sent', previousState: null, sequence: 1 } as const
  return moved(state, { type: 'CredentialOffered', ...facts, change })
}

type Received = CredentialCommand & {
  type: 'ReceiveCredentialRequest' | 'ReceiveCredentialAck' | 'ReceiveCredentialProblem'
}

function receive(state: CredentialRecord, command: Received): Decided {
  const { atMs } = command
  // An exchange is to be had over its own connection only.
  if (command.from !== state.connectionId) return unknown()
  if (command.type === 'ReceiveCredentialRequest') {
    if (state.status === 'offer-sent') {
      return taken({
        type: 'CredentialRequested',
        atMs,
        request: command.request,
        ...to(state, 'request-received'),
      })
    }
    return nothing(met(state.status === 'declined' || state.status === 'abandoned' ? 'late' : 'repeated'))
  }
  if (command.type === 'ReceiveCredentialAck') return acknowledge(state, atMs)
  if (isOver(state)) return nothing(met('repeated'))
  const errorMessage = command.text === '' ? command.code : command.text
  // The code alone does not separate a "no" from a failure; before the request it can only be a "no".
  if (state.status === 'offer-sent')
    return taken({ type: 'CredentialDeclined', atMs, errorMessage, ...to(state, 'declined') })
  return taken({ type: 'CredentialAbandoned', atMs, errorMessage, problem: null, ...to(state, 'abandoned') })
}

function acknowledge(state: CredentialRecord, atMs: number): Decided {
  if (state.status === 'done') return nothing(met('repeated'))
  if (isOver(state)) return nothing(met('late'))
  // It can overtake our own note that the credential was delivered: nobody acknowledges what he doesn't have.
  const events: CredentialEvent[] = []
  let at = state
  if (at.status === 'request-received' && at.credential !== null) {
    const delivered: CredentialEvent = { type: 'CredentialDelivered', atMs, ...to(at, 'credential-issued') }
    events.push(delivered)
    at = evolveCredential(at, delivered) as CredentialRecord
  }
  if (at.status !== 'credential-issued') return nothing(met('unexpected'))
  events.push({ type: 'CredentialAcknowledged', atMs, ...to(at, 'done') })
  return { events, reply: met('taken') }
}

function abandon(state: CredentialRecord, atMs: number): Decided {
  if (isOver(state) || atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return nothing({ credential: state })
  const problem = state.status === 'credential-issued' ? null : 'The exchange was abandoned.'
  return moved(state, {
    type: 'CredentialAbandoned',
    atMs,
    errorMessage: silence(state),
    problem,
    ...to(state, 'abandoned'),
  })
}

const silence = (state: CredentialRecord): string => {
  if (state.status === 'credential-issued')
    return 'The credential was sent; the holder did not acknowledge it within 24 hours.'
  if (state.status === 'request-received')
    return 'The credential could not be delivered to the holder within 24 hours.'
  return 'The holder did not answer within 24 hours.'
}

type Recorded = CredentialCommand & { type: `Record${string}` }

/** Outcomes of what was owed; one that comes when nothing is owed any more changes nothing. */
function record(state: CredentialRecord, command: Recorded): Decided {
  const { atMs } = command
  if (command.type === 'RecordOfferDelivered' && state.status === 'offer-sent' && !state.delivered) {
    return moved(state, { type: 'CredentialOfferDelivered', atMs })
  }
  if (command.type === 'RecordProblemDelivered' && 'problem' in state && state.problem !== null) {
    return moved(state, { type: 'CredentialProblemDelivered', atMs })
  }
  if (state.status !== 'request-received') return nothing({ credential: state })
  if (command.type === 'RecordCredentialSigned' && state.credential === null) {
    return moved(state, { type: 'CredentialSigned', atMs, credential: command.credential })
  }
  if (command.type === 'RecordSigningRefused' && state.credential === null) {
    const errorMessage = command.reason
    return moved(state, {
      type: 'CredentialAbandoned',
      atMs,
      errorMessage,
      problem: errorMessage,
      ...to(state, 'abandoned'),
    })
  }
  if (command.type === 'RecordCredentialDelivered' && state.credential !== null) {
    return moved(state, { type: 'CredentialDelivered', atMs, ...to(state, 'credential-issued') })
  }
  return nothing({ credential: state })
}

function owed(state: CredentialState): readonly CredentialEffect[] {
  if (state.status === 'none') return []
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
): { change: { state: CredentialStatus; previousState: CredentialStatus; sequence: number } } & About => ({
  change: { state: next, previousState: state.status, sequence: state.sequence + 1 },
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  credentialDefinitionId: state.definition.catalogueId,
})

const taken = (event: CredentialEvent): Decided => ({ events: [event], reply: met('taken') })

const moved = (state: CredentialState, event: CredentialEvent): Decided => ({
  events: [event],
  reply: { credential: evolveCredential(state, event) as CredentialRecord },
})
