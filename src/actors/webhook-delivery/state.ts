import type { Refused } from '../../domain/refused.ts'

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
  | { readonly type: 'ReadDelivery' }

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

export type DeliveryReply = { readonly delivery: Delivery } | Refused

export type DeliveryEffect = {
  readonly id: string
  readonly kind: 'attempt-delivery'
  readonly delivery: DeliveryPending
}
