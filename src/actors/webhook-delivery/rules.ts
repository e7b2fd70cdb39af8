import { NOTHING_HAPPENS, atMostOne, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import { backoffMs, type Backoff } from '../../timing/backoff.ts'

/** What the event says. `sealed` is ciphertext under the key of the record that the event is about, never under ours. */
export type EventToDeliver = {
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
  /** The status of the endpoint's answer; null when there was none. */
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

type Created = { readonly tenant: string; readonly endpoint: string; readonly event: EventToDeliver }

type Facts = Created & {
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
/**
 *   pending ──2xx──▶ delivered
 *      │ ▲
 *      ▼ │ retry
 *     dead ◀── the last attempt of the schedule failed
 *
 *   delivered, dead ──forget──▶ forgotten
 *
 * A pending delivery is either due (an attempt is owed) or waits for its next attempt.
 */
export type Delivery =
  | DeliveryPending
  /** Forgotten: the time of its record is over; it knows the same event again and no longer what it said. */
  | (Facts & { readonly status: 'delivered' | 'dead' | 'forgotten' })

export type DeliveryCommand =
  | ({ readonly type: 'CreateDelivery'; readonly atMs: number } & Created)
  | { readonly type: 'AttemptDelivery'; readonly atMs: number }
  | {
      readonly type: 'RecordDeliveryAttempt'
      readonly atMs: number
      /** Which attempt this is the outcome of, counted from one. */
      readonly number: number
      readonly attempt: DeliveryAttempt
    }
  | { readonly type: 'RetryDelivery' | 'ForgetDelivery'; readonly atMs: number }

export type DeliveryJournalEvent =
  | ({ readonly type: 'DeliveryCreated'; readonly atMs: number } & Created)
  | { readonly type: 'DeliveryFellDue'; readonly atMs: number }
  | {
      readonly type: 'DeliveryAttempted'
      readonly atMs: number
      readonly attempt: DeliveryAttempt
      readonly outcome: 'delivered' | 'failed' | 'dead'
      readonly nextAttemptAtMs: number | null
    }
  | { readonly type: 'DeliveryRetried' | 'DeliveryForgotten'; readonly atMs: number }

export type DeliveryEffect = {
  readonly id: string
  readonly kind: 'attempt-delivery'
  readonly delivery: DeliveryPending
}

export type DeliveryTypes = RecordTypes<Delivery, DeliveryCommand, DeliveryJournalEvent, DeliveryEffect>

export const webhookDelivery = referencesTo<DeliveryTypes>('whd')

/** For how long the stream may bring an event again: a week is what Kafka keeps of it, and of its readers' positions. */
const COMES_AGAIN_MS = 8 * 86_400_000

/** One that is forgotten has only to know its event again. */
export const goneAtMs = (state: Delivery | { readonly status: 'none' }): number | null => {
  if (state.status !== 'forgotten') return null
  const { createdAtMs, updatedAtMs } = state
  return Math.max(updatedAtMs, createdAtMs + COMES_AGAIN_MS)
}

const ATTEMPT_TIMER = 'attempt'

/** Keeps the attempts of two full schedules; earlier ones are only counted. */
const ATTEMPTS_KEPT = 2 * limits.webhookAttemptsMax

export const deliveryDecider: Decider<DeliveryTypes> = recordDecider({
  unknown: refuse('not_found', 'There is no webhook delivery with this id.'),
  first: ['CreateDelivery', 'DeliveryCreated'],
  create: (command) => ({ ...command, type: 'DeliveryCreated' }),
  created: (facts, atMs) => ({
    ...facts,
    status: 'pending',
    attempts: 0,
    attemptsBefore: 0,
    attemptLog: [],
    createdAtMs: atMs,
    updatedAtMs: atMs,
    nextAttemptAtMs: atMs,
    due: true,
  }),
  decide: (delivery, command) => {
    const { atMs } = command
    switch (command.type) {
      case 'AttemptDelivery': {
        const isDue = delivery.status === 'pending' && !delivery.due && atMs >= delivery.nextAttemptAtMs
        return atMostOne(isDue ? { type: 'DeliveryFellDue', atMs } : null)
      }
      case 'RecordDeliveryAttempt':
        return record(delivery, command)
      case 'RetryDelivery':
        return atMostOne(delivery.status === 'dead' ? { type: 'DeliveryRetried', atMs } : null)
      case 'ForgetDelivery': {
        const isOver = delivery.status === 'delivered' || delivery.status === 'dead'
        return atMostOne(isOver ? { type: 'DeliveryForgotten', atMs } : null)
      }
    }
  },
  evolve: (delivery, event) => {
    switch (event.type) {
      case 'DeliveryFellDue':
        if (delivery.status !== 'pending' || delivery.due) throw impossibleEvent(event, delivery.status)
        return { ...delivery, due: true, updatedAtMs: event.atMs }
      case 'DeliveryAttempted':
        return attempted(delivery, event)
      case 'DeliveryRetried': {
        if (delivery.status !== 'dead') throw impossibleEvent(event, delivery.status)
        const { attempts: attemptsBefore } = delivery
        const { atMs } = event
        const again = { attemptsBefore, updatedAtMs: atMs, nextAttemptAtMs: atMs, due: true }
        return { ...delivery, ...again, status: 'pending' }
      }
      case 'DeliveryForgotten': {
        const { status } = delivery
        if (status === 'pending' || status === 'forgotten') throw impossibleEvent(event, status)
        const said = { ...delivery.event, data: {}, sealed: null }
        return { ...delivery, status: 'forgotten', event: said, attemptLog: [], updatedAtMs: event.atMs }
      }
    }
  },
  owed: (delivery) =>
    delivery.status === 'pending' && delivery.due
      ? [{ id: `${delivery.event.id}:${delivery.attempts + 1}`, kind: 'attempt-delivery', delivery }]
      : [],
  timers: (delivery) =>
    delivery.status === 'pending' && !delivery.due
      ? [{ id: ATTEMPT_TIMER, dueMs: delivery.nextAttemptAtMs }]
      : [],
})

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

const PAUSES: Backoff = {
  firstMs: limits.webhookBackoffFirstSeconds * 1_000,
  maxMs: limits.webhookBackoffSecondsMax * 1_000,
}

/** Pause after the n-th failed attempt, counted from one; without chance, because the contract says how long it is. */
export const pauseAfterMs = (failedAttempts: number): number => backoffMs(PAUSES, failedAttempts, 1)
