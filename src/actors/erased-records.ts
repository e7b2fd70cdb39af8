import type { RecordErased } from '../domain/erasure.ts'
import type { ExchangeTimes } from '../domain/exchange.ts'
import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import { choice, moment, words } from '../http/route/fields.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import type { PublicEvent } from '../ports/publication.ts'
import { eventData, ownName, placeInRecord } from './state-changed.ts'
import { tags } from './tags.ts'

/** The log of erasures has no records of its own: each erased record, which stays for ever, is an entry of it too. */
export const ERASURES = 'erasure'

const ENTRY = 'era_'

/** The entry of a record, and the record of an entry. */
export const erasureIdOf = (recordId: string): string => `${ENTRY}${recordId}`
export const erasedRecordOf = (entryId: string): string => entryId.slice(ENTRY.length)

export type Erased = { readonly tenant: string } & Pick<ExchangeTimes, 'erasedAtMs' | 'erasedBy'>

/** How the log finds the record; null unless it was erased on request. */
export const erasureRowOf = (recordType: string, recordId: string, record: object): DirectoryRow | null => {
  if (!('erasedBy' in record)) return null
  const { tenant, erasedAtMs, erasedBy: initiator } = record as Erased
  if (erasedAtMs === null || initiator === null || initiator === 'retention') return null
  return {
    kind: ERASURES,
    id: erasureIdOf(recordId),
    tenant,
    createdAtMs: erasedAtMs,
    updatedAtMs: erasedAtMs,
    state: 'erased',
    filters: { recordType, initiator },
    externalId: null,
    searchText: recordId,
  }
}

export const recordTypeText = choice(
  ['connection', 'credential', 'proof'],
  'What kind of record it was.',
  'credential',
)
export const initiatorText = choice(['api_key', 'tenant_member', 'operator'], 'On whose request.')
export const recordIdText = words(
  'The record, which stays without its personal data.',
  'cre_5f8d2k4m6p7q9r1s3t5v0w2y',
)
export const erasedAtText = moment('When it was erased.')

/** The type of its event. */
export const RECORD_ERASED = 'record.erased'

export const recordErasedEvent: PublishedEvent = {
  type: RECORD_ERASED,
  summary: 'The personal data of a record was erased on request',
  tag: tags.webhooks,
  data: eventData({
    recordType: recordTypeText,
    recordId: recordIdText,
    externalId: ownName,
    erasedAt: erasedAtText,
    initiator: initiatorText,
    ...placeInRecord,
  }),
}

export const isRecordErased = (event: unknown): event is RecordErased =>
  (event as { readonly type?: unknown }).type === 'RecordErased'

/** Null for the end of its time, of which organisations do not hear. */
export const recordErased = (
  recordType: string,
  recordId: string,
  { atMs, by: initiator, tenant, externalId, sequence }: RecordErased,
): PublicEvent | null => {
  if (initiator === 'retention') return null
  const erasedAt = new Date(atMs).toISOString()
  return {
    id: `evt_${recordId}_${sequence}`,
    type: RECORD_ERASED,
    tenant,
    createdAtMs: atMs,
    recordType,
    recordId,
    data: { recordType, recordId, externalId, erasedAt, initiator, updatedAt: erasedAt, sequence },
    sealed: null,
  }
}
