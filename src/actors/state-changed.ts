import { type TSchema, Type } from 'typebox'
import type { Change } from '../domain/exchange.ts'
import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import { moment, words, wordsOrNull } from '../http/route/fields.ts'
import type { PublicEvent } from '../ports/publication.ts'
import { tags } from './tags.ts'

/** What every event that moves a record carries. */
type Moved = {
  readonly atMs: number
  readonly tenant: string
  readonly externalId: string | null
  readonly change: Change<string>
}

/** It follows from the place in the record, so that publishing twice is harmless. */
export const eventIdOf = (recordId: string, sequence: number): string => `evt_${recordId}_${sequence}`

/** The public event of a change. */
export const stateChanged = (
  recordType: string,
  actor: string,
  { atMs, tenant, externalId, change }: Moved,
  more: Readonly<Record<string, unknown>>,
): PublicEvent => {
  const { state, previousState, sequence } = change
  const updatedAt = new Date(atMs).toISOString()
  return {
    id: eventIdOf(actor, sequence),
    type: `${recordType}.state_changed`,
    tenant,
    createdAtMs: atMs,
    recordType,
    recordId: actor,
    data: { id: actor, state, previousState, externalId, ...more, updatedAt, sequence },
    sealed: null,
  }
}

/** In every event: when the record changed, and which of its events this is. */
export const placeInRecord = {
  updatedAt: moment('When the record changed.'),
  sequence: Type.Integer({
    minimum: 1,
    description:
      'Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes.',
  }),
}

export const ownName = wordsOrNull('Your own name for the record.', 'order-1042')

/** Data may get more fields within a version; receivers ignore what they do not know. */
export const eventData = (properties: Record<string, TSchema>): TSchema =>
  Type.Object(properties, { description: 'What has happened to which record.' })

/** Describes the event of a change: examples of the record's id and states, and the fields of its kind. */
export const stateChangedEvent = (
  recordType: string,
  summary: string,
  example: { readonly id: string; readonly state: string; readonly previousState: string },
  more: Record<string, TSchema>,
): PublishedEvent => ({
  type: `${recordType}.state_changed`,
  summary,
  tag: tags.webhooks,
  data: eventData({
    id: words('The record.', example.id),
    state: words('Its state now.', example.state),
    previousState: wordsOrNull('Its state before; null in its first event.', example.previousState),
    externalId: ownName,
    ...placeInRecord,
    ...more,
  }),
})
