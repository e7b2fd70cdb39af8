import { type Static, type TObject, Type } from 'typebox'
import { failureIn } from '../domain/exchange.ts'
import { limits } from '../domain/limits.ts'
import { choice, exact, isoTime, moment, recordOf, words } from '../http/route/fields.ts'
import { timeFilter, timeOf } from '../http/route/list.ts'
import { type Problem, problem } from '../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'
import type { ListOverview, OldestWaiting, OverviewQuery } from '../ports/list-overview.ts'
import type { Kind } from './define-kind.ts'
import type { ApiPorts } from './kind-ports.ts'
import { tags } from './tags.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const STEPS = {
  hour: { hours: 1, shown: DAY_HOURS },
  day: { hours: DAY_HOURS, shown: 30 * DAY_HOURS },
} as const
const step = choice(['hour', 'day'], 'What one number is about: an hour, or a day of UTC.', 'hour')

const counts = Type.Array(Type.Integer({ minimum: 0 }), {
  description: 'One number for each hour or day, the earliest first.',
  examples: [[0, 3, 12]],
})
const state = words('The state.', 'done')
const listFields = {
  recordType: words('What the records are.', 'credential'),
  now: Type.Array(exact({ state, records: Type.Integer({ minimum: 0, description: 'How many records.' }) }), {
    description: 'How many records are in each state now, whatever their age.',
    examples: [[{ state: 'done', records: 1_042 }]],
  }),
  entered: Type.Array(exact({ state, counts }), {
    description: 'How many records came into each state; a state that is missing had none.',
    examples: [[{ state: 'done', counts: [0, 3, 12] }]],
  }),
  failures: Type.Array(exact({ code: words('The reason, in a word.', 'no_answer'), counts }), {
    description:
      'How many records failed, by reason; those that ended before reasons were kept are not among them.',
    examples: [[{ code: 'no_answer', counts: [0, 1, 0] }]],
  }),
}
const waiting = {
  id: words('The record.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
  state: words('Its state.', 'offer-sent'),
  createdAt: moment('When it came to be.'),
}
const orNone = <Schema extends TObject>(schema: Schema) =>
  Type.Union([schema, Type.Null()], { description: 'The oldest record that waits; null where none does.' })
const span = {
  from: moment('Where the first hour or day begins.'),
  to: moment('Where the last one ends.'),
  step,
}
const ownSchema = recordOf('Overview', {
  ...span,
  lists: Type.Array(recordOf('OverviewOfList', { ...listFields, oldestWaiting: orNone(exact(waiting)) }), {
    description: 'Connections, credentials, proofs and webhook deliveries.',
  }),
})
const organisation = words('Its organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f')
const operatorSchema = recordOf('OperatorOverview', {
  ...span,
  lists: Type.Array(
    recordOf('OperatorOverviewOfList', {
      ...listFields,
      oldestWaiting: orNone(exact({ ...waiting, organisation })),
    }),
    { description: 'Connections, credentials, proofs and webhook deliveries of all organisations together.' },
  ),
})

const query = Type.Object({
  from: Type.Optional(timeFilter('From this time on; a date-time with Z or an offset.')),
  to: Type.Optional(timeFilter('Up to this time; a date-time with Z or an offset. Now by default.')),
  step: Type.Optional(step),
})
type Asked = Static<typeof query>
type Span = Pick<OverviewQuery, 'fromHour' | 'toHour' | 'hoursEach'>
const refusals = ['invalid_request'] as const
const wrong = (reason: string): Problem<'invalid_request'> => problem('invalid_request', reason)

const ABOUT = `Counts when records came into their states, by hour or by day of UTC, up to ${limits.overviewDays} days back; without \`from\` the last 24 hours, or the last 30 days by day. \`from\` and \`to\` are widened to whole hours or days. A record is counted once for each state that it has had. Webhook deliveries are counted for as long as they are kept, and as they stand: one that is sent again has not ended.`

/** What happens, in numbers: for an organisation, and for the operators over all. */
export const overviewRoutes = (
  ports: Pick<ApiPorts, 'overviews' | 'runtime'>,
  kinds: readonly Kind[],
): readonly Route[] => {
  const lists = kinds.flatMap(({ list, overview }) =>
    list === null || overview === null ? [] : [{ kind: list, ...overview }],
  )
  const shownBy = new Map(lists.map((list) => [list.kind, list]))
  const asked = lists.map(({ kind, waiting: states }) => ({ kind, waiting: states }))
  const overviewOf = async <Oldest>(
    tenant: string | null,
    { step: wanted = 'hour', ...times }: Asked,
    oldest: (found: OldestWaiting) => Oldest,
  ) => {
    const within = spanOf(times, wanted, ports.runtime.now())
    if ('problem' in within) return within
    const found = await ports.overviews.overview({ tenant, lists: asked, ...within })
    return reply(200, {
      from: isoTime(within.fromHour * HOUR_MS),
      to: isoTime(within.toHour * HOUR_MS),
      step: wanted,
      lists: found.map((list) => {
        const { recordType = list.kind, shownAs = (inState: string) => inState } =
          shownBy.get(list.kind) ?? {}
        return {
          recordType,
          now: nowOf(list, shownAs),
          ...countsOf(list),
          oldestWaiting:
            list.oldest === null ? null : oldest({ ...list.oldest, state: shownAs(list.oldest.state) }),
        }
      }),
    })
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/overview',
      operationId: 'getOverview',
      summary: 'Counts what happened: states, failures, and the oldest that waits',
      description: ABOUT,
      tag: tags.overview,
      access: { callers: ['member'] },
      query,
      responses: { 200: ownSchema },
      errors: refusals,
      handle: ({ caller: { tenantId }, query: times }) => overviewOf(tenantId, times, waitingOf),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/operator/overview',
      operationId: 'getOperatorOverview',
      summary: 'Counts what happened in all organisations together',
      description: `${ABOUT} What a deleted organisation had is counted no longer.`,
      tag: tags.operators,
      access: { callers: ['operator'] },
      query,
      responses: { 200: operatorSchema },
      errors: refusals,
      handle: ({ query: times }) =>
        overviewOf(null, times, (found) => ({ ...waitingOf(found), organisation: found.tenant })),
    }),
  ]
}

const waitingOf = ({ id, state: inState, createdAtMs }: OldestWaiting) => ({
  id,
  state: inState,
  createdAt: isoTime(createdAtMs),
})

const byName = <Value>(named: Readonly<Record<string, Value>>): readonly (readonly [string, Value])[] =>
  Object.entries(named).toSorted(([one], [other]) => (one < other ? -1 : 1))

const nowOf = ({ now }: ListOverview, shownAs: (state: string) => string) => {
  const shown: Record<string, number> = {}
  for (const [inState, records] of Object.entries(now)) {
    const name = shownAs(inState)
    shown[name] = (shown[name] ?? 0) + records
  }
  return byName(shown).map(([inState, records]) => ({ state: inState, records }))
}

const countsOf = ({ counts: counted }: ListOverview) => ({
  entered: byName(counted).flatMap(([name, each]) =>
    failureIn([name, 0]) === null ? [{ state: name, counts: each }] : [],
  ),
  failures: byName(counted).flatMap(([name, each]) => {
    const code = failureIn([name, 0])
    return code === null ? [] : [{ code, counts: each }]
  }),
})

/** Whole hours or days; what is not over yet is counted as far as it has come. */
const spanOf = (
  times: Pick<Asked, 'from' | 'to'>,
  wanted: keyof typeof STEPS,
  nowMs: number,
): Span | Problem<'invalid_request'> => {
  const { hours: hoursEach, shown } = STEPS[wanted]
  const spanMs = hoursEach * HOUR_MS
  const [fromMs, toMs] = [timeOf(times.from), timeOf(times.to)]
  if (Number.isNaN(fromMs)) return wrong('from must be a date-time such as 2026-01-31T12:00:00Z.')
  if (Number.isNaN(toMs)) return wrong('to must be a date-time such as 2026-01-31T12:00:00Z.')
  const endMs = Math.floor(nowMs / spanMs + 1) * spanMs
  const toHour = Math.min(Math.ceil((toMs ?? endMs) / spanMs) * spanMs, endMs) / HOUR_MS
  const fromHour = fromMs === null ? toHour - shown : (Math.floor(fromMs / spanMs) * spanMs) / HOUR_MS
  const earliest = endMs / HOUR_MS - hoursEach - limits.overviewDays * DAY_HOURS
  if (fromHour < earliest) return wrong(`from must lie within the last ${limits.overviewDays} days.`)
  if (fromHour >= toHour) return wrong('from must be before to, and not in the future.')
  return { fromHour, toHour, hoursEach }
}
