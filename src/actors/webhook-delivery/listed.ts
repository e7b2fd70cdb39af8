import { failedBecause, type Step } from '../../domain/exchange.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import { rowOfRecord } from '../rows.ts'
import type { Delivery } from './rules.ts'

/** The name of their list. */
export const DELIVERIES = 'webhook-delivery'

/** Finds those that wait until there is an endpoint. */
export const HELD_FILTER = { held: 'yes' } as const

/** What is forgotten says nothing any more, and is listed no longer. */
export const isUnlisted = ({ status }: Delivery): boolean => status === 'forgotten'

/** What their events are about goes through the sweep of retention, which takes its deliveries along. */
const SWEPT: readonly string[] = ['connection', 'credential', 'proof']

/** Without what the event says: a row outlasts the erasure of its record. */
export const deliveryRow = (delivery: Delivery): Omit<DirectoryRow, 'id' | 'kind'> => {
  const { recordId, recordType, type: eventType } = delivery.event
  const isHeld = delivery.status === 'pending' && delivery.isHeld === true
  const goesAlone = !SWEPT.includes(recordType) && (delivery.status !== 'pending' || isHeld)
  return rowOfRecord(delivery, {
    filters: { eventType, recordId, ...(isHeld && HELD_FILTER) },
    texts: [recordId],
    finishedAtMs: goesAlone ? delivery.updatedAtMs : null,
    steps: deliverySteps(delivery),
  })
}

/** As they stand now: what is sent again after its end waits once more, and has not ended. */
const deliverySteps = ({ status, createdAtMs, updatedAtMs, attemptLog }: Delivery): readonly Step[] => {
  const created: Step = ['pending', createdAtMs]
  if (status !== 'delivered' && status !== 'dead') return [created]
  const answered = attemptLog.at(-1)?.status ?? null
  const why = answered === null ? 'no_response' : `response_${Math.floor(answered / 100)}xx`
  const ended: Step = [status, updatedAtMs]
  return status === 'dead' ? [created, failedBecause(why, updatedAtMs), ended] : [created, ended]
}
