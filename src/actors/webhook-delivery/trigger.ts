import { exampleOf } from '../../http/openapi/example.ts'
import type { PublishedEvent } from '../../http/openapi/webhooks.ts'
import { isoTime } from '../../http/route/fields.ts'
import type { PublicEvent } from '../../ports/publication.ts'

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const RECORD_ID = /^([a-z]{3})_[0-9a-z]{20,}$/

/** What the ids of events begin with that tell of nothing. */
const PREFIX = 'evt_test_'

export const syntheticEventId = (unique: string): string => `${PREFIX}${unique}`

/**
 * An event of a type as its description shows it. It has just happened, and to a record that no other event is about:
 * receivers that go by `sequence` would pass over a second event of the same one. The ids of records in it can be those
 * of none.
 */
export const syntheticEvent = (
  { type, data }: PublishedEvent,
  { id, tenant, atMs }: { readonly id: string; readonly tenant: string; readonly atMs: number },
): PublicEvent => ({
  id,
  type,
  tenant,
  createdAtMs: atMs,
  recordType: 'test',
  recordId: id,
  data: ofNoRecord(exampleOf(data), `test${id.slice(PREFIX.length)}`, isoTime(atMs)) as PublicEvent['data'],
  sealed: null,
})

const ofNoRecord = (value: unknown, unique: string, now: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => ofNoRecord(each, unique, now))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, ofNoRecord(inner, unique, now)]),
    )
  if (typeof value !== 'string') return value
  return TIME.test(value) ? now : value.replace(RECORD_ID, (_, kind: string) => `${kind}_${unique}`)
}
