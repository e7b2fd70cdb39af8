import { plainText } from '../api-access.ts'
import type { Message } from './message-parser.ts'

export type HeardEvent = {
  readonly is: 'event'
  readonly id: string
  readonly type: string
  /** The record that it is about; null where it is about none. */
  readonly recordId: string | null
  /** It was made up, so it is no event to go on behind. */
  readonly isSynthetic: boolean
  /** Exactly what a webhook would post. */
  readonly body: string
}

/** What a stream of events says. */
export type Heard =
  | HeardEvent
  /** Events may be missing between the one that was heard last and those that follow. */
  | { readonly is: 'gap' }
  /** This event does not come here. */
  | { readonly is: 'left_out'; readonly id: string; readonly reason: string }
  /** The service ends the stream, for a reason that it names. */
  | { readonly is: 'end'; readonly reason: string }

type Fields = Readonly<Record<string, unknown>>

/** What a message of the stream means; null for what this release does not know. */
export const heardIn = ({ id, event, data }: Message): Heard | null => {
  const said = fieldsIn(data)
  if (event === 'stream.gap') return { is: 'gap' }
  if (event === 'stream.left_out')
    return { is: 'left_out', id: textIn(said, 'id'), reason: textIn(said, 'reason') }
  if (event === 'stream.end') return { is: 'end', reason: textIn(said, 'reason') }
  if (event.startsWith('stream.')) return null
  const [ownId, type] = [said?.['id'], said?.['type']]
  if (typeof ownId !== 'string' || typeof type !== 'string' || !isHeader(ownId) || !isHeader(type))
    return { is: 'left_out', id: plainText(id ?? 'an event'), reason: 'unreadable' }
  return {
    is: 'event',
    id: ownId,
    type,
    recordId: recordIn(said?.['data']),
    isSynthetic: id === null,
    body: data,
  }
}

/** Each event names its record in one of these fields. */
const RECORD_FIELDS = ['id', 'recordId', 'walletId']

export const recordIn = (data: unknown): string | null => {
  if (typeof data !== 'object' || data === null) return null
  const found = RECORD_FIELDS.map((name) => (data as Fields)[name]).find((value) => typeof value === 'string')
  return found === undefined ? null : plainText(found)
}

/** It goes into a header of what is posted on, or of the next question for the stream. */
export const isHeader = (text: string): boolean => /^[\x21-\x7e]{1,300}$/.test(text)

const fieldsIn = (text: string): Fields | null => {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Fields) : null
  } catch {
    return null
  }
}

const textIn = (fields: Fields | null, name: string): string => {
  const value = fields?.[name]
  return typeof value === 'string' ? plainText(value) : 'unknown'
}
