import { atMostOne, type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/** What the event says. `sealed` is ciphertext under the key of the record that the event is about, never under ours. */
export type DeliveredEvent = {
  readonly id: string
  readonly type: string
  readonly createdAtMs: number
  readonly recordType: string
  readonly recordId: string
  readonly data: Readonly<Record<string, unknown>>
  readonly sealed: string | null
}

export type DeliveryAttempt = {
  readonly atMs: number
  readonly url: string
  /** Of the answer; null when there was none. */
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

type Facts = {
  readonly tenant: string
  readonly endpoint: string
  readonly event: DeliveredEvent
  readonly attempts: number
  /** Attempts that an operator's retry has put behind; the schedule counts from here. */
  readonly attemptsBefore: number
  /** The newest ones. */
  readonly attemptLog: readonly DeliveryAttempt[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type DeliveryPending = Facts & {
  readonly status: 'pending'
  readonly nextAttemptAtMs: number
  readonly due: boolean
}
export type DeliveryOver = Facts & { readonly status: 'delivered' | 'dead' }
export type Delivery = DeliveryPending | DeliveryOver

/**
 *   pending ──2xx──▶ delivered
 *      │ ▲
 *      ▼ │ retry
 *     dead ◀── the last attempt of the schedule failed
 *
 * A pending delivery is either due (an attempt is owed) or waits for its next attempt.
 */
export type DeliveryState = { readonly status: 'none' } | Delivery

export type DeliveryCommand =
  | {
      readonly type: 'CreateDelivery'
      readonly atMs: number
      readonly tenant: string
      readonly endpoint: string
      readonly event: DeliveredEvent
    }
  | { readonly type: 'AttemptDelivery'; readonly atMs: number }
  | {
      readonly type: 'RecordDeliveryAttempt'
      readonly atMs: number
      /** Which attempt this is the outcome of, counted from one. */
      readonly number: number
      readonly attempt: DeliveryAttempt
    }
  | { readonly type: 'RetryDelivery'; readonly atMs: number }

export type DeliveryJournalEvent =
  | {
      readonly type: 'DeliveryCreated'
      readonly atMs: number
      readonly tenant: string
      readonly endpoint: string
      readonly event: DeliveredEvent
    }
  | { readonly type: 'DeliveryFellDue'; readonly atMs: number }
  | {
      readonly type: 'DeliveryAttempted'
      readonly atMs: number
      readonly attempt: DeliveryAttempt
      readonly outcome: 'delivered' | 'failed' | 'dead'
      readonly nextAttemptAtMs: number | null
    }
  | { readonly type: 'DeliveryRetried'; readonly atMs: number }

export type DeliveryEffect = {
  readonly id: string
  readonly kind: 'attempt-delivery'
  readonly delivery: DeliveryPending
}

export type DeliveryTypes = {
  readonly state: DeliveryState
  readonly command: DeliveryCommand
  readonly event: DeliveryJournalEvent
  readonly reply: Delivery
  readonly views: { readonly record: Delivery }
  readonly owed: DeliveryEffect
}

export const webhookDelivery = referencesTo<DeliveryTypes>('whd')

export const ATTEMPT_TIMER = 'attempt'

/** Keeps the attempts of two full schedules; earlier ones are only counted. */
const ATTEMPTS_KEPT = 2 * limits.webhookAttemptsMax

const noSuchDelivery = refuse('not_found', 'There is no webhook delivery with this id.')

export const deliveryDecider: Decider<DeliveryTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as Delivery,
  views: { record: (state) => (state.status === 'none' ? noSuchDelivery : state) },
  owed: (state) =>
    state.status === 'pending' && state.due
      ? [{ id: `${state.event.id}:${state.attempts + 1}`, kind: 'attempt-delivery', delivery: state }]
      : [],
  timers: (state) =>
    state.status === 'pending' && !state.due ? [{ id: ATTEMPT_TIMER, dueMs: state.nextAttemptAtMs }] : [],
}

function decide(state: DeliveryState, command: DeliveryCommand): readonly DeliveryJournalEvent[] | Refused {
  const { atMs } = command
  if (command.type === 'CreateDelivery') {
    // The id is made from event and endpoint: the same event again finds itself.
    if (state.status !== 'none') return NOTHING_HAPPENS
    const { type: _, ...created } = command
    return [{ type: 'DeliveryCreated', ...created }]
  }
  if (state.status === 'none') return noSuchDelivery
  switch (command.type) {
    case 'AttemptDelivery': {
      const isDue = state.status === 'pending' && !state.due && atMs >= state.nextAttemptAtMs
      return atMostOne(isDue ? { type: 'DeliveryFellDue', atMs } : null)
    }
    case 'RecordDeliveryAttempt':
      return record(state, command)
    case 'RetryDelivery':
      return atMostOne(state.status === 'dead' ? { type: 'DeliveryRetried', atMs } : null)
  }
}

/** The outcome of an attempt that is not the one that is owed changes nothing. */
function record(
  state: Delivery,
  command: DeliveryCommand & { type: 'RecordDeliveryAttempt' },
): readonly DeliveryJournalEvent[] {
  const { atMs, attempt, number } = command
  if (state.status !== 'pending' || !state.due || number !== state.attempts + 1) return NOTHING_HAPPENS
  const ended = (outcome: 'delivered' | 'dead'): readonly DeliveryJournalEvent[] => [
    { type: 'DeliveryAttempted', atMs, attempt, outcome, nextAttemptAtMs: null },
  ]
  if (accepted(attempt)) return ended('delivered')
  const failed = number - state.attemptsBefore
  if (failed >= limits.webhookAttemptsMax) return ended('dead')
  const nextAttemptAtMs = atMs + pauseAfterMs(failed)
  return [{ type: 'DeliveryAttempted', atMs, attempt, outcome: 'failed', nextAttemptAtMs }]
}

const accepted = ({ status, error }: DeliveryAttempt): boolean =>
  error === null && status !== null && status >= 200 && status < 300

function evolve(state: DeliveryState, event: DeliveryJournalEvent): DeliveryState {
  if (event.type === 'DeliveryCreated') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { type: _, atMs, ...facts } = event
    const none = { attempts: 0, attemptsBefore: 0, attemptLog: [], createdAtMs: atMs, updatedAtMs: atMs }
    return { ...facts, ...none, status: 'pending', nextAttemptAtMs: atMs, due: true }
  }
  if (state.status === 'none') throw impossibleEvent(event, state.status)
  switch (event.type) {
    case 'DeliveryFellDue':
      if (state.status !== 'pending' || state.due) throw impossibleEvent(event, state.status)
      return { ...state, due: true, updatedAtMs: event.atMs }
    case 'DeliveryAttempted':
      return attempted(state, event)
    case 'DeliveryRetried': {
      if (state.status !== 'dead') throw impossibleEvent(event, state.status)
      const { atMs } = event
      const again = { attemptsBefore: state.attempts, updatedAtMs: atMs, nextAttemptAtMs: atMs, due: true }
      return { ...state, ...again, status: 'pending' }
    }
  }
}

function attempted(state: Delivery, event: DeliveryJournalEvent & { type: 'DeliveryAttempted' }): Delivery {
  if (state.status !== 'pending' || !state.due) throw impossibleEvent(event, state.status)
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

/** Pause after the n-th failed attempt, counted from one: 5 s doubling, an hour at most. */
export const pauseAfterMs = (failedAttempts: number): number => {
  const seconds = limits.webhookBackoffFirstSeconds * 2 ** Math.min(failedAttempts - 1, 30)
  return Math.min(seconds, limits.webhookBackoffSecondsMax) * 1_000
}
