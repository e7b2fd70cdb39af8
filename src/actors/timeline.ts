import { type Static, Type } from 'typebox'
import type { KindTypes } from '../domain/decider.ts'
import { type ExchangeTimes, failureIn, faceOutcomeIn, isState, isTold } from '../domain/exchange.ts'
import type { References } from '../domain/references.ts'
import { TENANT_CALLERS } from '../http/callers/caller.ts'
import type { Tag } from '../http/openapi/tags.ts'
import { choice, isoTime, moment, recordOf, words, wordsOrNull } from '../http/route/fields.ts'
import { problem } from '../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'
import { RECORD_ERASED } from './erased-records.ts'
import type { ApiPorts } from './kind-ports.ts'
import { ownRecord } from './own-record.ts'
import { eventIdOf } from './state-changed.ts'
import { type DeliveryStep, deliverySteps } from './webhook-delivery/timeline.ts'

type Existing = Pick<ExchangeTimes, 'steps' | 'sequence' | 'erasedAtMs' | 'erasedBy'> & {
  readonly tenant: string
  readonly status: string
}
type TimelineTypes = KindTypes & { readonly views: { readonly record: Existing } }

type Timeline<Of extends TimelineTypes> = {
  /** The path of the list; a record has its id behind it. */
  readonly path: string
  readonly tag: Tag
  /** The last word of the operation's name. */
  readonly name: string
  readonly noun: string
  /** Of its events: `credential` of `credential.state_changed`. */
  readonly recordType: string
  readonly references: References<Of>
  /** The message that a state tells of, as steps name those that none does. */
  readonly messages: Readonly<Partial<Record<Of['views']['record']['status'], string>>>
}

const KINDS = ['state', 'message_in', 'message_out', 'event', 'delivery', 'biometric'] as const

const itemSchema = recordOf('TimelineItem', {
  at: moment('When it happened.'),
  kind: choice(
    KINDS,
    'A state of the record, a message from the wallet or to it, an event that you hear of, an attempt to deliver it to your webhook, a face check.',
    'state',
  ),
  name: words(
    'The state, the message, the type of the event, or what became of the attempt to deliver it or of the face check.',
    'request-received',
  ),
  detail: wordsOrNull(
    'The id of the event; of an attempt what it came to; of a state in which it failed, why, in a word.',
    null,
  ),
})

const timelineSchema = recordOf('Timeline', {
  items: Type.Array(itemSchema, { description: 'Everything that has happened to it, the oldest first.' }),
})

type Item = Static<typeof itemSchema> & { readonly atMs: number }

/** What has happened to a record, for support: without anything personal, so that it outlives an erasure. */
export const timelineRoute = <Of extends TimelineTypes>(
  ports: Pick<ApiPorts, 'actors'>,
  { path, tag, name, noun, references, ...told }: Timeline<Of>,
): Route =>
  defineRoute({
    method: 'GET',
    path: `${path}/{id}/timeline` as const,
    operationId: `get${name}Timeline`,
    summary: `Shows step by step what has happened to a ${noun}`,
    description:
      'States, messages, events and the attempts to deliver them, with their times. Nothing in it is personal, so it stays when the record is erased; attempts go when the retention of the record is over.',
    tag,
    access: { callers: TENANT_CALLERS },
    responses: { 200: timelineSchema },
    errors: ['not_found'],
    handle: async ({ caller: { tenantId: tenant }, params: { id } }) => {
      const record = await ownRecord(ports, references, tenant, id)
      if (record === null) return problem('not_found', `There is no ${noun} with this id.`)
      const events = eventsOf(id, told.recordType, record)
      const ids = events.map(({ detail }) => detail ?? '')
      const attempts = (await deliverySteps(ports, tenant, ids)).map(attemptItem)
      const items = [...stepsOf(record, told.messages), ...events, ...attempts]
      // What came at the same time stands as it is here: the step before what was said of it.
      const inOrder = items.toSorted((left, right) => left.atMs - right.atMs)
      return reply(200, { items: inOrder.map(shown) })
    },
  })

const shown = (item: Item): Static<typeof itemSchema> => {
  const { atMs: _, ...rest } = item
  return rest
}

const itemOf = (atMs: number, kind: Item['kind'], name: string, detail: string | null = null): Item => ({
  atMs,
  at: isoTime(atMs),
  kind,
  name,
  detail,
})

const attemptItem = ({ atMs, name, detail }: DeliveryStep): Item => itemOf(atMs, 'delivery', name, detail)

const MESSAGE = /^(in|out):(.*)$/

const messageItem = (message: string, atMs: number): Item | null => {
  const [, way, name = ''] = MESSAGE.exec(message) ?? []
  if (way === undefined) return null
  return itemOf(atMs, way === 'in' ? 'message_in' : 'message_out', name)
}

const stepsOf = (
  { steps, erasedAtMs }: Existing,
  messages: Readonly<Record<string, string | undefined>>,
): readonly Item[] => [
  ...steps.flatMap((step, index) => {
    const [name, atMs] = step
    const message = messageItem(name, atMs)
    if (message !== null) return [message]
    const outcome = faceOutcomeIn(step)
    if (outcome !== null) return [itemOf(atMs, 'biometric', outcome)]
    if (!isState(step)) return []
    const before = steps[index - 1]
    const state = itemOf(atMs, 'state', name, before === undefined ? null : failureIn(before))
    const told = messageItem(messages[name] ?? '', atMs)
    return told === null ? [state] : [told, state]
  }),
  ...(erasedAtMs === null ? [] : [itemOf(erasedAtMs, 'state', 'erased')]),
]

/** Each state, and each attempt at a face check, is told by one event, in order; an erasure on request by one more. */
const eventsOf = (id: string, recordType: string, record: Existing): readonly Item[] => {
  const { steps, sequence, erasedAtMs, erasedBy } = record
  const changes = steps.filter(isTold).map(([, atMs], index) => {
    return itemOf(atMs, 'event', `${recordType}.state_changed`, eventIdOf(id, index + 1))
  })
  if (erasedAtMs === null || erasedBy === 'retention') return changes
  return [...changes, itemOf(erasedAtMs, 'event', RECORD_ERASED, eventIdOf(id, sequence))]
}
