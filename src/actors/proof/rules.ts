import type { OldDecider, Decision } from '../../domain/decider.ts'
import type { Change } from '../../domain/exchange.ts'
import { ABANDON_TIMER, HOLDER_WAIT_MS, met } from '../../domain/exchange.ts'
import { refuse } from '../../domain/refused.ts'
import { evolveProof } from './evolve.ts'
import type {
  ProofAbout,
  ProofCommand,
  ProofEffect,
  ProofEvent,
  ProofRecord,
  ProofReply,
  ProofState,
  ProofStatus,
} from './state.ts'

type Decided = Decision<ProofEvent, ProofReply>

const nothing = (reply: ProofReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no proof exchange with this id.'))
const isOver = (state: ProofRecord): boolean =>
  state.status === 'done' || state.status === 'declined' || state.status === 'abandoned'

export const proofDecider: OldDecider<ProofState, ProofCommand, ProofEvent, ProofReply, ProofEffect> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state, command) => {
    if (state.status === 'none') return unknown().reply
    return command.type.startsWith('Receive') ? met('repeated') : { proof: state }
  },
  evolve: evolveProof,
  owed,
  timers: (state) =>
    state.status === 'none' || isOver(state)
      ? []
      : [{ id: ABANDON_TIMER, dueMs: state.waitingSinceMs + HOLDER_WAIT_MS }],
}

function decide(state: ProofState, command: ProofCommand): Decided {
  if (command.type === 'RequestProof') return request(state, command)
  if (state.status === 'none') return unknown()
  switch (command.type) {
    case 'ReadProof':
      return nothing({ proof: state })
    case 'ReceivePresentation':
      // An exchange is to be had over its own connection only.
      if (command.from !== state.connectionId) return unknown()
      if (state.status === 'request-sent') {
        const { atMs, presentation } = command
        return taken({
          type: 'PresentationReceived',
          atMs,
          presentation,
          ...to(state, 'presentation-received'),
        })
      }
      return nothing(met(state.status === 'declined' || state.status === 'abandoned' ? 'late' : 'repeated'))
    case 'ReceiveProofProblem':
      return problem(state, command)
    case 'AbandonProof':
      return abandon(state, command.atMs)
    default:
      return record(state, command)
  }
}

function request(state: ProofState, command: ProofCommand & { type: 'RequestProof' }): Decided {
  if (state.status !== 'none') return nothing({ proof: state })
  const { type: _, ...asked } = command
  const change = { state: 'request-sent', previousState: null, sequence: 1 } as const
  return moved(state, { type: 'ProofRequested', ...asked, change })
}

function problem(state: ProofRecord, command: ProofCommand & { type: 'ReceiveProofProblem' }): Decided {
  if (command.from !== state.connectionId) return unknown()
  if (isOver(state)) return nothing(met('repeated'))
  const { atMs } = command
  const errorMessage = command.text === '' ? command.code : command.text
  if (state.status === 'request-sent')
    return taken({ type: 'ProofDeclined', atMs, errorMessage, ...to(state, 'declined') })
  return taken({ type: 'ProofAbandoned', atMs, errorMessage, problem: null, ...to(state, 'abandoned') })
}

function abandon(state: ProofRecord, atMs: number): Decided {
  if (isOver(state) || atMs < state.waitingSinceMs + HOLDER_WAIT_MS) return nothing({ proof: state })
  const errorMessage =
    state.status === 'request-sent'
      ? 'The holder did not answer within 24 hours.'
      : 'The presentation could not be verified within 24 hours.'
  const told = 'The exchange was abandoned.'
  return moved(state, {
    type: 'ProofAbandoned',
    atMs,
    errorMessage,
    problem: told,
    ...to(state, 'abandoned'),
  })
}

type Recorded = ProofCommand & { type: `Record${string}` }

/** Outcomes of what was owed; one that comes when nothing is owed any more changes nothing. */
function record(state: ProofRecord, command: Recorded): Decided {
  const { atMs } = command
  if (command.type === 'RecordProofRequestDelivered' && state.status === 'request-sent' && !state.delivered) {
    return moved(state, { type: 'ProofRequestDelivered', atMs })
  }
  if (command.type === 'RecordProofVerified' && state.status === 'presentation-received') {
    const { verified, disclosed } = command
    return moved(state, { type: 'ProofVerified', atMs, verified, disclosed, ...to(state, 'done') })
  }
  if (command.type === 'RecordProofAckDelivered' && state.status === 'done' && state.ackOwed) {
    return moved(state, { type: 'ProofAckDelivered', atMs })
  }
  if (command.type === 'RecordProblemDelivered' && 'problem' in state && state.problem !== null) {
    return moved(state, { type: 'ProofProblemDelivered', atMs })
  }
  return nothing({ proof: state })
}

function owed(state: ProofState): readonly ProofEffect[] {
  if (state.status === 'none') return []
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

const to = (
  state: ProofRecord,
  next: ProofStatus,
): { readonly change: Change<ProofStatus> } & ProofAbout => ({
  change: { state: next, previousState: state.status, sequence: state.sequence + 1 },
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  proofTemplateId: state.proofTemplateId,
})

const taken = (event: ProofEvent): Decided => ({ events: [event], reply: met('taken') })

const moved = (state: ProofState, event: ProofEvent): Decided => ({
  events: [event],
  reply: { proof: evolveProof(state, event) as ProofRecord },
})
