import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
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
  /** The beginning of the answer's body, as ciphertext of `answers.ts`; left out where it had none, or cannot be kept. */
  readonly sealedAnswer?: string
}

type Created = { readonly tenant: string; readonly endpoint: string; readonly event: EventToDeliver }

type Facts = Created & {
  readonly attempts: number
  /** Attempts that a retry has put behind; the schedule counts from here. */
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
  /** There is no endpoint: it waits until one is set, whatever its schedule says. */
  readonly isHeld?: true
}
/**
 *   pending ──2xx──▶ delivered
 *      │ ▲               │
 *      ▼ │ retry ◀───────┘
 *     dead ◀── the last attempt of the schedule failed
 *
 *   delivered, dead, held ──forget──▶ forgotten
 *
 * A pending delivery is either due (an attempt is owed), or waits for its next attempt, or is held until its
 * organisation has an endpoint again.
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
  /** Nothing was attempted, because there is no endpoint. */
  | { readonly type: 'HoldDelivery'; readonly atMs: number }
  /** There is an endpoint again. */
  | { readonly type: 'ResumeDelivery'; readonly atMs: number }
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
  | {
      readonly type: 'DeliveryHeld' | 'DeliveryResumed' | 'DeliveryRetried' | 'DeliveryForgotten'
      readonly atMs: number
    }

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

export const noSuchDelivery = refuse('not_found', 'There is no webhook delivery with this id.')

export const deliveryDecider: Decider<DeliveryTypes> = recordDecider({
  unknown: noSuchDelivery,
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
        const isDue = isWaiting(delivery) && atMs >= delivery.nextAttemptAtMs
        return atMostOne(isDue ? { type: 'DeliveryFellDue', atMs } : null)
      }
      case 'RecordDeliveryAttempt':
        return record(delivery, command)
      case 'HoldDelivery':
        return atMostOne(isOwed(delivery) ? { type: 'DeliveryHeld', atMs } : null)
      case 'ResumeDelivery':
        return atMostOne(isHeld(delivery) ? { type: 'DeliveryResumed', atMs } : null)
      case 'RetryDelivery':
        return retry(delivery, atMs)
      case 'ForgetDelivery':
        return atMostOne(isOver(delivery) || isHeld(delivery) ? { type: 'DeliveryForgotten', atMs } : null)
    }
  },
  evolve: (delivery, event) => {
    const { atMs: updatedAtMs } = event
    switch (event.type) {
      case 'DeliveryFellDue':
        if (!isWaiting(delivery)) throw impossibleEvent(event, delivery.status)
        return { ...delivery, due: true, updatedAtMs }
      case 'DeliveryAttempted':
        return attempted(delivery, event)
      case 'DeliveryHeld':
        if (!isOwed(delivery)) throw impossibleEvent(event, delivery.status)
        return { ...delivery, due: false, isHeld: true, updatedAtMs }
      case 'DeliveryResumed': {
        if (!isHeld(delivery)) throw impossibleEvent(event, delivery.status)
        const { isHeld: _, ...pending } = delivery
        return { ...pending, nextAttemptAtMs: updatedAtMs, due: true, updatedAtMs }
      }
      case 'DeliveryRetried': {
        if (!isOver(delivery)) throw impossibleEvent(event, delivery.status)
        const again = { attemptsBefore: delivery.attempts, updatedAtMs, nextAttemptAtMs: updatedAtMs }
        return { ...delivery, ...again, due: true, status: 'pending' }
      }
      case 'DeliveryForgotten': {
        if (!isOver(delivery) && !isHeld(delivery)) throw impossibleEvent(event, delivery.status)
        const said = { ...delivery.event, data: {}, sealed: null }
        const facts = delivery.status === 'pending' ? factsOf(delivery) : delivery
        return { ...facts, status: 'forgotten', event: said, attemptLog: [], updatedAtMs }
      }
    }
  },
  owed: (delivery) =>
    isOwed(delivery)
      ? [{ id: `${delivery.event.id}:${delivery.attempts + 1}`, kind: 'attempt-delivery', delivery }]
      : [],
  timers: (delivery) => (isWaiting(delivery) ? [{ id: ATTEMPT_TIMER, dueMs: delivery.nextAttemptAtMs }] : []),
})

const isOwed = (delivery: Delivery): delivery is DeliveryPending =>
  delivery.status === 'pending' && delivery.due

const isHeld = (delivery: Delivery): delivery is DeliveryPending & { readonly isHeld: true } =>
  delivery.status === 'pending' && delivery.isHeld === true

/** For the time of its next attempt. */
const isWaiting = (delivery: Delivery): delivery is DeliveryPending =>
  delivery.status === 'pending' && !delivery.due && delivery.isHeld !== true

type DeliveryOver = Facts & { readonly status: 'delivered' | 'dead' }
const isOver = (delivery: Delivery): delivery is DeliveryOver =>
  delivery.status === 'delivered' || delivery.status === 'dead'

const factsOf = (delivery: DeliveryPending) => {
  const { nextAttemptAtMs: _, due: _due, isHeld: _isHeld, ...facts } = delivery
  return facts
}

/**
 * What waits for its time goes out now, and what is held tries whether there is an endpoint; what is over begins the
 * schedule anew, also where it was delivered.
 */
function retry(delivery: Delivery, atMs: number): readonly DeliveryJournalEvent[] | Refused {
  if (delivery.status === 'forgotten') return noSuchDelivery
  if (isWaiting(delivery)) return [{ type: 'DeliveryFellDue', atMs }]
  if (isHeld(delivery)) return [{ type: 'DeliveryResumed', atMs }]
  return atMostOne(isOver(delivery) ? { type: 'DeliveryRetried', atMs } : null)
}

/** The outcome of an attempt that is not the one that is owed changes nothing. */
function record(
  state: Delivery,
  command: DeliveryCommand & { type: 'RecordDeliveryAttempt' },
): readonly DeliveryJournalEvent[] {
  const { atMs, attempt, number } = command
  if (!isOwed(state) || number !== state.attempts + 1) return NOTHING_HAPPENS
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
  if (!isOwed(state)) throw impossibleEvent(event, state.status)
  const after = {
    ...factsOf(state),
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
