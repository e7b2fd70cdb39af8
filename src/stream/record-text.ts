import type { PublicEvent } from '../ports/publication.ts'
import type { StreamPlace, StreamRecord } from '../ports/stream.ts'

/** The header of every record with its position in the journal. */
export const PLACE_HEADER = 'place'

export const placeText = ({ shard, no, index }: StreamPlace): string => `${shard},${no},${index}`

/** Null for a record that this service did not write. */
export const readRecord = (value: string | null, place: string | null): StreamRecord | null => {
  const at = placeOf(place)
  if (value === null || at === null) return null
  let event: unknown
  try {
    event = JSON.parse(value)
  } catch {
    return null
  }
  return isPublicEvent(event) ? { place: at, event } : null
}

const placeOf = (text: string | null): StreamPlace | null => {
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
