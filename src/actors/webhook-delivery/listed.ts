import { RECORD_ERASED } from '../erased-records.ts'
import { fold } from '../../domain/case-folded.ts'
import { failedBecause, type Step } from '../../domain/exchange.ts'
import { fnv1a } from '../../domain/fnv1a.ts'
import { shardOf } from '../../domain/references.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import { rowOfRecord } from '../rows.ts'
import type { Delivery } from './rules.ts'

/** The name of their list. */
export const DELIVERIES = 'webhook-delivery'

/** As callers see them: what is forgotten is not shown. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type ShownStatus = (typeof DELIVERY_STATUSES)[number]

/** As rows tell them apart: what waits until there is an endpoint is found by itself. */
type RowStatus = ShownStatus | 'held' | 'forgotten'

const LETTERS: Readonly<Record<RowStatus, string>> = {
  pending: 'p',
  held: 'h',
  delivered: 'd',
  dead: 'x',
  forgotten: 'f',
}

/**
 * Status and type of event in one short word: an exchange has some four deliveries, and an index for each type of event
 * would take as much as all else of their rows.
 */
const rowState = (status: RowStatus, eventType: string): string =>
  `${LETTERS[status]}${fnv1a(eventType).toString(36)}`

/** What rows of the statuses and types of events have for states. */
export const rowStates = (statuses: readonly RowStatus[], eventTypes: readonly string[]): readonly string[] =>
  statuses.flatMap((status) => eventTypes.map((eventType) => rowState(status, eventType)))

/** The rows of what callers see in a status. */
export const rowStatusesOf = (status: ShownStatus): readonly RowStatus[] =>
  status === 'pending' ? ['pending', 'held'] : [status]

/** How the states of rows begin whose deliveries wait. */
export const WAITING_ROWS: readonly string[] = rowStatusesOf('pending').map((status) => LETTERS[status])

/** As callers see what the row says. */
export const statusOfRow = (state: string): string =>
  DELIVERY_STATUSES.find((shown) =>
    rowStatusesOf(shown).some((status) => state.startsWith(LETTERS[status])),
  ) ?? state

/** What is forgotten says nothing any more, and is listed no longer. */
export const isUnlisted = ({ status }: Delivery): boolean => status === 'forgotten'

/** What their events are about goes through the sweep of retention, which takes its deliveries along. */
const SWEPT: readonly string[] = ['connection', 'credential', 'proof']

/** Without what the event says: a row outlasts the erasure of its record. */
export const deliveryRow = (delivery: Delivery): Omit<DirectoryRow, 'id' | 'kind'> => {
  const { recordId, recordType, type } = delivery.event
  const isHeld = delivery.status === 'pending' && delivery.isHeld === true
  const status = isHeld ? 'held' : delivery.status
  // A connection may have been swept after its holder hung up, and is not swept again for being erased later.
  const isOfSwept = SWEPT.includes(recordType) && !(recordType === 'connection' && type === RECORD_ERASED)
  const goesAlone = !isOfSwept && status !== 'pending'
  return rowOfRecord(
    { ...delivery, status: rowState(status, type) },
    {
      texts: ['', recordId, ''],
      finishedAtMs: goesAlone ? delivery.updatedAtMs : null,
      steps: deliverySteps(delivery),
    },
  )
}

type Search = { readonly q?: string; readonly recordId?: string }

/**
 * What to look for in the texts of rows, undefined: nothing, null: no row has it. The id of a record is searched as a
 * whole line, because an index of all records would cost more than the few searches that it would serve.
 */
export const searchOf = ({ q, recordId }: Search): string | undefined | null => {
  if (recordId === undefined) return q
  const isFound = shardOf(recordId) !== null && recordId.includes(fold(q ?? ''))
  return isFound ? `\n${recordId}\n` : null
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
