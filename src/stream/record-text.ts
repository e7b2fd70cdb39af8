import { shardOf } from '../domain/references.ts'
import { journalOf } from '../ports/parking.ts'
import type { PublicEvent } from '../ports/publication.ts'
import type { StreamPlace, StreamRecord, UnreadableRecord } from '../ports/stream.ts'

/** Raised when the text of a record changes so that an older release would misread it. */
const RECORD_VERSION = 1

/** By their names in every record. Those beside the place are for a reader who cannot read the text itself. */
export const recordHeaders = ({ place: { shard, no, index }, event }: StreamRecord) => ({
  place: `${shard},${no},${index}`,
  version: String(RECORD_VERSION),
  event: event.id,
  type: event.type,
  actor: journalOf(event),
})

export type RecordHeaders = Partial<Readonly<Record<keyof ReturnType<typeof recordHeaders>, string>>>

export type ReadRecord =
  | { readonly record: StreamRecord }
  /** Null where not even its headers say which event it is: no release of this service wrote it. */
  | { readonly unreadable: UnreadableRecord | null }

/** Records of before there were versions are of the first. */
export const readRecord = (
  value: string | null,
  { key, headers }: { readonly key: string | null; readonly headers: RecordHeaders },
): ReadRecord => {
  const version = Number(headers.version ?? RECORD_VERSION)
  const place = placeOf(headers.place)
  if (!(version >= 1 && version <= RECORD_VERSION))
    return unreadable(key, headers, new UnknownVersion(version))
  if (value === null || place === null) return unreadable(key, headers, new NoEvent())
  let event: unknown
  try {
    event = JSON.parse(value)
  } catch {
    return unreadable(key, headers, new NoEvent())
  }
  return isPublicEvent(event) ? { record: { place, event } } : unreadable(key, headers, new NoEvent())
}

/** A newer release wrote it. */
class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion'
  constructor(version: number) {
    super(`the record has version ${version}, and this release reads ${RECORD_VERSION}`)
  }
}

class NoEvent extends Error {
  override readonly name = 'NoEvent'
  constructor() {
    super('the text of the record is no event')
  }
}

const unreadable = (
  tenant: string | null,
  { event: id, type, actor }: RecordHeaders,
  error: Error,
): ReadRecord => {
  const isNamed =
    tenant !== null && shardOf(tenant) !== null && actor !== undefined && shardOf(actor) !== null
  if (!isNamed || id === undefined || type === undefined) return { unreadable: null }
  return { unreadable: { event: { id, type, tenant, recordId: actor, actor }, error } }
}

const placeOf = (text: string | undefined): StreamPlace | null => {
  const parts = /^(\d+),(\d+),(\d+)$/.exec(text ?? '')
  if (parts === null) return null
  const [shard = 0, no = 0, index = 0] = parts.slice(1).map(Number)
  return { shard, no, index }
}

const isPublicEvent = (value: unknown): value is PublicEvent => {
  if (typeof value !== 'object' || value === null) return false
  const { id, type, tenant, createdAtMs, recordType, recordId, actor, data, sealed } = value as Record<
    string,
    unknown
  >
  return (
    [id, type, tenant, recordType, recordId].every((field) => typeof field === 'string') &&
    (actor === undefined || typeof actor === 'string') &&
    typeof createdAtMs === 'number' &&
    typeof data === 'object' &&
    data !== null &&
    (sealed === null || typeof sealed === 'string')
  )
}
