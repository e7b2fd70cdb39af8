import type { ProofEvent, ProofRecord, ProofState } from './state.ts'

export const evolveProof = (state: ProofState, event: ProofEvent): ProofState => {
  if (event.type === 'ProofRequested') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, change, ...asked } = event
    const times = { createdAtMs: atMs, updatedAtMs: atMs, waitingSinceMs: atMs }
    return { ...asked, ...times, sequence: change.sequence, status: 'request-sent', delivered: false }
  }
  if (state.status === 'none') throw impossible(state, event)
  switch (event.type) {
    case 'ProofRequestDelivered':
      if (state.status !== 'request-sent') throw impossible(state, event)
      return { ...state, delivered: true }
    case 'PresentationReceived':
      return { ...shared(state, event), status: 'presentation-received', presentation: event.presentation }
    case 'ProofVerified': {
      const { verified, disclosed } = event
      return { ...shared(state, event), status: 'done', verified, disclosed, ackOwed: true }
    }
    case 'ProofAckDelivered':
      if (state.status !== 'done') throw impossible(state, event)
      return { ...state, ackOwed: false }
    case 'ProofDeclined':
      return { ...shared(state, event), status: 'declined', errorMessage: event.errorMessage, problem: null }
    case 'ProofAbandoned':
      return {
        ...shared(state, event),
        status: 'abandoned',
        errorMessage: event.errorMessage,
        problem: event.problem,
      }
    case 'ProofProblemDelivered':
      if (!('problem' in state)) throw impossible(state, event)
      return { ...state, problem: null }
  }
}

type Visible = Extract<ProofEvent, { change: unknown }>

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const shared = (state: ProofRecord, event: Visible): Omit<ProofRecord, 'status'> => {
  if (event.change.previousState !== state.status) throw impossible(state, event)
  return {
    tenant: state.tenant,
    connectionId: state.connectionId,
    externalId: state.externalId,
    proofTemplateId: state.proofTemplateId,
    threadId: state.threadId,
    request: state.request,
    createdAtMs: state.createdAtMs,
    updatedAtMs: event.atMs,
    waitingSinceMs: event.atMs,
    sequence: event.change.sequence,
  }
}

const impossible = (state: ProofState, event: ProofEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
