import type { OldDecider, Decision } from '../../domain/decider.ts'
import type { Change } from '../../domain/exchange.ts'
import { ABANDON_TIMER, HOLDER_WAIT_MS, met } from '../../domain/exchange.ts'
import { refuse } from '../../domain/refused.ts'
import type {
  ConnectionCommand,
  ConnectionEffect,
  ConnectionEvent,
  ConnectionRecord,
  ConnectionReply,
  ConnectionState,
  ConnectionStatus,
} from './state.ts'

type Decided = Decision<ConnectionEvent, ConnectionReply>

export const connectionDecider: OldDecider<
  ConnectionState,
  ConnectionCommand,
  ConnectionEvent,
  ConnectionReply,
  ConnectionEffect
> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state, command) => {
    if (state.status === 'none') return unknown().reply
    return command.type.startsWith('Receive') ? met('repeated') : { connection: state }
  },
  evolve,
  owed: (state) =>
    state.status === 'request-received'
      ? [{ id: `${state.threadId}:response`, kind: 'deliver-response', connection: state }]
      : [],
  timers: (state) =>
    isWaiting(state) ? [{ id: ABANDON_TIMER, dueMs: state.waitingSinceMs + HOLDER_WAIT_MS }] : [],
}

const nothing = (reply: ConnectionReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no connection with this id.'))

const isWaiting = (state: ConnectionState): state is ConnectionRecord =>
  state.status === 'request-received' || state.status === 'response-sent'

function decide(state: ConnectionState, command: ConnectionCommand): Decided {
  if (command.type === 'RequestConnection') return request(state, command)
  if (state.status === 'none') return unknown()
  switch (command.type) {
    case 'ReadConnection':
      return nothing({ connection: state })
    case 'RequireConnectionReady':
      return requireReady(state, command.tenant)
    case 'RecordResponseDelivered':
      if (state.status !== 'request-received') return nothing({ connection: state })
      return moved(state, {
        type: 'ConnectionResponseSent',
        atMs: command.atMs,
        ...to(state, 'response-sent'),
      })
    case 'ReceiveConnectionComplete':
      return complete(state, command.atMs)
    case 'ReceiveConnectionProblem': {
      if (!isWaiting(state)) return nothing(met('repeated'))
      const errorMessage = command.text === '' ? command.code : command.text
      return taken({
        type: 'ConnectionAbandoned',
        atMs: command.atMs,
        errorMessage,
        ...to(state, 'abandoned'),
      })
    }
    case 'AbandonConnection': {
      if (!isWaiting(state) || command.atMs < state.waitingSinceMs + HOLDER_WAIT_MS)
        return nothing({ connection: state })
      const errorMessage = 'The holder did not complete the connection within 24 hours.'
      return moved(state, {
        type: 'ConnectionAbandoned',
        atMs: command.atMs,
        errorMessage,
        ...to(state, 'abandoned'),
      })
    }
  }
}

function request(
  state: ConnectionState,
  command: ConnectionCommand & { type: 'RequestConnection' },
): Decided {
  // The id is made from the holder's request: the same request again finds itself.
  if (state.status !== 'none') return nothing({ connection: state })
  const { type: _, ...facts } = command
  const change = { state: 'request-received', previousState: null, sequence: 1 } as const
  return moved(state, { type: 'ConnectionRequested', ...facts, change })
}

function complete(state: ConnectionRecord, atMs: number): Decided {
  if (state.status === 'completed') return nothing(met('repeated'))
  if (!isWaiting(state)) return nothing(met('late'))
  // It can overtake our own note that the response was delivered: nobody completes without having it.
  const events: ConnectionEvent[] = []
  let at = state
  if (at.status === 'request-received') {
    const sent: ConnectionEvent = { type: 'ConnectionResponseSent', atMs, ...to(at, 'response-sent') }
    events.push(sent)
    at = evolve(at, sent) as ConnectionRecord
  }
  events.push({ type: 'ConnectionCompleted', atMs, ...to(at, 'completed') })
  return { events, reply: met('taken') }
}

function requireReady(state: ConnectionRecord, tenant: string): Decided {
  // Another tenant's connection is answered like one that does not exist.
  if (state.tenant !== tenant)
    return nothing(refuse('connection_not_found', 'There is no connection with this connectionId.'))
  if (state.status === 'completed') return nothing({ connection: state })
  return nothing(
    refuse('connection_not_ready', `The connection is in state ${state.status}; it must be completed.`),
  )
}

function evolve(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  if (event.type === 'ConnectionRequested') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, change, ...facts } = event
    const times = { createdAtMs: atMs, updatedAtMs: atMs, waitingSinceMs: atMs }
    return { ...facts, ...times, sequence: change.sequence, status: 'request-received', errorMessage: null }
  }
  if (state.status === 'none' || event.change.previousState !== state.status) throw impossible(state, event)
  return {
    ...state,
    status: event.change.state,
    errorMessage: event.type === 'ConnectionAbandoned' ? event.errorMessage : null,
    updatedAtMs: event.atMs,
    waitingSinceMs: event.atMs,
    sequence: event.change.sequence,
  }
}

type Step = {
  readonly change: Change<ConnectionStatus>
  readonly tenant: string
  readonly invitationId: string
  readonly externalId: string | null
}

const to = (state: ConnectionRecord, next: ConnectionStatus): Step => ({
  change: { state: next, previousState: state.status, sequence: state.sequence + 1 },
  tenant: state.tenant,
  invitationId: state.invitationId,
  externalId: state.externalId,
})

const taken = (event: ConnectionEvent): Decided => ({ events: [event], reply: met('taken') })

const moved = (state: ConnectionState, event: ConnectionEvent): Decided => ({
  events: [event],
  reply: { connection: evolve(state, event) as ConnectionRecord },
})

const impossible = (state: ConnectionState, event: ConnectionEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
