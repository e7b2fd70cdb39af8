import type { OldDecider, Decision } from '../../domain/decider.ts'
import { refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryCommand,
  DeliveryEffect,
  DeliveryJournalEvent,
  DeliveryReply,
  DeliveryState,
} from './state.ts'
import { pauseAfterMs } from './schedule.ts'

type Decided = Decision<DeliveryJournalEvent, DeliveryReply>

export const ATTEMPT_TIMER = 'attempt'

/** The schedule twice; older ones are counted, not kept. */
const ATTEMPTS_KEPT = 2 * limits.webhookAttemptsMax

export const deliveryDecider: OldDecider<
  DeliveryState,
  DeliveryCommand,
  DeliveryJournalEvent,
  DeliveryReply,
  DeliveryEffect
> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { delivery: state }),
  evolve,
  owed: (state) =>
    state.status === 'pending' && state.due
      ? [{ id: `${state.event.id}:${state.attempts + 1}`, kind: 'attempt-delivery', delivery: state }]
      : [],
  timers: (state) =>
    state.status === 'pending' && !state.due ? [{ id: ATTEMPT_TIMER, dueMs: state.nextAttemptAtMs }] : [],
}

const nothing = (reply: DeliveryReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no webhook delivery with this id.'))

function decide(state: DeliveryState, command: DeliveryCommand): Decided {
  if (command.type === 'CreateDelivery') {
    // The id is made from event and endpoint: the same event again finds itself.
    if (state.status !== 'none') return nothing({ delivery: state })
    const { type: _, ...facts } = command
    return moved(state, { type: 'DeliveryCreated', ...facts })
  }
  if (state.status === 'none') return unknown()
  const { type } = command
  switch (type) {
    case 'ReadDelivery':
      return nothing({ delivery: state })
    case 'AttemptDelivery':
      if (state.status !== 'pending' || state.due || command.atMs < state.nextAttemptAtMs)
        return nothing({ delivery: state })
      return moved(state, { type: 'DeliveryFellDue', atMs: command.atMs })
    case 'RecordDeliveryAttempt':
      return record(state, command)
    case 'RetryDelivery':
      if (state.status !== 'dead') return nothing({ delivery: state })
      return moved(state, { type: 'DeliveryRetried', atMs: command.atMs })
  }
}

/** The outcome of an attempt that nobody waits for any more changes nothing. */
function record(state: Delivery, command: DeliveryCommand & { type: 'RecordDeliveryAttempt' }): Decided {
  const { atMs, attempt, number } = command
  if (state.status !== 'pending' || !state.due || number !== state.attempts + 1)
    return nothing({ delivery: state })
  const ended = (outcome: 'delivered' | 'dead'): Decided =>
    moved(state, { type: 'DeliveryAttempted', atMs, attempt, outcome, nextAttemptAtMs: null })
  if (accepted(attempt)) return ended('delivered')
  const failed = number - state.attemptsBefore
  if (failed >= limits.webhookAttemptsMax) return ended('dead')
  const nextAttemptAtMs = atMs + pauseAfterMs(failed)
  return moved(state, { type: 'DeliveryAttempted', atMs, attempt, outcome: 'failed', nextAttemptAtMs })
}

const accepted = ({ status, error }: DeliveryAttempt): boolean =>
  error === null && status !== null && status >= 200 && status < 300

function evolve(state: DeliveryState, event: DeliveryJournalEvent): DeliveryState {
  if (event.type === 'DeliveryCreated') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, ...facts } = event
    const none = { attempts: 0, attemptsBefore: 0, attemptLog: [], createdAtMs: atMs, updatedAtMs: atMs }
    return { ...facts, ...none, status: 'pending', nextAttemptAtMs: atMs, due: true }
  }
  if (state.status === 'none') throw impossible(state, event)
  switch (event.type) {
    case 'DeliveryFellDue':
      if (state.status !== 'pending' || state.due) throw impossible(state, event)
      return { ...state, due: true, updatedAtMs: event.atMs }
    case 'DeliveryAttempted':
      return attempted(state, event)
    case 'DeliveryRetried': {
      if (state.status !== 'dead') throw impossible(state, event)
      const { atMs } = event
      const again = { attemptsBefore: state.attempts, updatedAtMs: atMs, nextAttemptAtMs: atMs, due: true }
      return { ...state, ...again, status: 'pending' }
    }
  }
}

function attempted(state: Delivery, event: DeliveryJournalEvent & { type: 'DeliveryAttempted' }): Delivery {
  if (state.status !== 'pending' || !state.due) throw impossible(state, event)
  const { nextAttemptAtMs: _, due: _due, ...facts } = state
  const after = {
    ...facts,
    attempts: state.attempts + 1,
    attemptLog: [...state.attemptLog, event.attempt].slice(-ATTEMPTS_KEPT),
    updatedAtMs: event.atMs,
  }
  if (event.outcome !== 'failed') return { ...after, status: event.outcome }
  return { ...after, status: 'pending', nextAttemptAtMs: event.nextAttemptAtMs ?? event.atMs, due: false }
}

const moved = (state: DeliveryState, event: DeliveryJournalEvent): Decided => ({
  events: [event],
  reply: { delivery: evolve(state, event) as Delivery },
})

const impossible = (state: DeliveryState, event: DeliveryJournalEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
