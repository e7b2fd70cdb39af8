import type { CredentialEvent, CredentialRecord, CredentialState } from './state.ts'

export const evolveCredential = (state: CredentialState, event: CredentialEvent): CredentialState => {
  if (event.type === 'CredentialOffered') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, change, ...facts } = event
    const times = { createdAtMs: atMs, updatedAtMs: atMs, waitingSinceMs: atMs }
    return { ...facts, ...times, sequence: change.sequence, status: 'offer-sent', delivered: false }
  }
  if (state.status === 'none') throw impossible(state, event)
  switch (event.type) {
    case 'CredentialOfferDelivered':
      if (state.status !== 'offer-sent') throw impossible(state, event)
      return { ...state, delivered: true }
    case 'CredentialRequested':
      if (state.status !== 'offer-sent') throw impossible(state, event)
      return { ...shared(state, event), status: 'request-received', request: event.request, credential: null }
    case 'CredentialSigned':
      if (state.status !== 'request-received') throw impossible(state, event)
      // Erased means null in the event; the exchange has been signed all the same.
      return { ...state, request: null, credential: event.credential ?? '' }
    case 'CredentialDelivered':
      if (state.status !== 'request-received') throw impossible(state, event)
      return { ...shared(state, event), status: 'credential-issued' }
    case 'CredentialAcknowledged':
      return { ...shared(state, event), status: 'done', errorMessage: null, problem: null }
    case 'CredentialDeclined':
      return { ...shared(state, event), status: 'declined', errorMessage: event.errorMessage, problem: null }
    case 'CredentialAbandoned': {
      const { errorMessage, problem } = event
      return { ...shared(state, event), status: 'abandoned', errorMessage, problem }
    }
    case 'CredentialProblemDelivered':
      if (!('problem' in state)) throw impossible(state, event)
      return { ...state, problem: null }
  }
}

type Visible = Extract<CredentialEvent, { change: unknown }>

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const shared = (state: CredentialRecord, event: Visible): Omit<CredentialRecord, 'status'> => {
  if (event.change.previousState !== state.status) throw impossible(state, event)
  return {
    tenant: state.tenant,
    connectionId: state.connectionId,
    externalId: state.externalId,
    definition: state.definition,
    threadId: state.threadId,
    nonce: state.nonce,
    attributes: state.attributes,
    createdAtMs: state.createdAtMs,
    updatedAtMs: event.atMs,
    waitingSinceMs: event.atMs,
    sequence: event.change.sequence,
  }
}

const impossible = (state: CredentialState, event: CredentialEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
