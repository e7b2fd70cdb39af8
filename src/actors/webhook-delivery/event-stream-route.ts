import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { TENANT_CALLERS, type Callers } from '../../http/callers/caller.ts'
import { EventStreaming } from '../../http/route/event-stream.ts'
import { problem, refusal, retryAfter } from '../../http/route/problem.ts'
import { defineRoute, streamed, type Route } from '../../http/route/route.ts'
import type { Listener } from '../../ports/event-feed.ts'
import { isPersonGood } from '../account/callers.ts'
import { isKeyGood } from '../api-key/commands.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { deliveryBody } from './body.ts'
import { tags } from '../tags.ts'

const HEARTBEAT_MS = 5_000
/** Every node has a copy of what is looked at. */
const CHECK_MS = 1_000
/** When a place may be free again. */
const FULL_RETRY_MS = 10_000
const ID_CHARACTERS_MAX = 300

const refusals = ['rate_limited', 'overloaded'] as const

const text = Type.String({
  description:
    'Server-sent events: `id`, `event` (the type) and `data` (what a webhook would get). About the stream itself: `stream.gap`, `stream.left_out` and `stream.end`.',
  examples: [
    `id: evt_con_5f8d2k4m6p7q9r1s3t5v0w2x_3\nevent: connection.state_changed\ndata: ${JSON.stringify({
      id: 'evt_con_5f8d2k4m6p7q9r1s3t5v0w2x_3',
      type: 'connection.state_changed',
      createdAt: '2026-01-31T09:30:00.000Z',
      tenantId: 'ten_5c0k3m7p9r1t3v5x7z9b1d3f',
      data: { id: 'con_5f8d2k4m6p7q9r1s3t5v0w2x', state: 'completed', previousState: 'response-sent' },
    })}\n\n`,
  ],
})

type Ports = Pick<
  ApiPorts,
  'actors' | 'runtime' | 'activeTenants' | 'vault' | 'personalData' | 'feed' | 'unreadableEvent'
>

/** The events of an organisation, as they happen, to a client that is connected. */
export const eventStreamRoutes = (ports: Ports): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/events/stream',
    operationId: 'streamEvents',
    summary: 'Shows events while they happen, for development and for the console',
    description:
      'For the console, by its session (`new EventSource(…)` of its own page), and for development, where nothing can reach a webhook: `curl -N` shows what your webhook would get, as server-sent events. Events of a record come in their order; one may come again, with the same `id`. What happens while no client listens is not kept, so production uses webhooks. A client that comes back with `Last-Event-ID` within a minute gets the events that it missed; where they are not kept any more, the stream begins with an event `stream.gap`. What was made up to try a listener (`POST /v1/events/trigger`) has no `id:` line. A line that begins with a colon every few seconds shows that the stream is alive. It ends within a second when the key is revoked or the session is over, also when it is read too slowly and when the service stops; `retry` says when to come back. Opening it counts as one request. An organisation may have 5 open at once with API keys, and its people 20 in the console, each of them 5; more are 429.',
    tag: tags.webhooks,
    access: { callers: TENANT_CALLERS },
    answer: { isEventStream: true, headers: ['Cache-Control'] },
    responses: { 200: text },
    errors: refusals,
    handle: async ({ caller, head }) => {
      const after = head.headers.get('last-event-id')?.slice(0, ID_CHARACTERS_MAX) || null
      let wake: () => void = () => undefined
      const place = await ports.feed.listen(caller.tenantId, after, () => wake(), listenerOf(caller))
      if (isRefused(place)) {
        const { problem: code, reason } = refusal(refusals, place)
        return problem(code, reason, retryAfter(FULL_RETRY_MS))
      }
      const streaming = new EventStreaming({
        place,
        bodyOf: (event) => deliveryBody(ports, event.tenant, event),
        unreadable: ports.unreadableEvent,
        mayGoOn: () => mayGoOn(ports, caller),
        heartbeatMs: HEARTBEAT_MS,
        checkMs: CHECK_MS,
      })
      wake = () => streaming.wake()
      return streamed(streaming)
    },
  }),
]

type Reader = Callers['api_key'] | Callers['member']

const listenerOf = (caller: Reader): Listener =>
  caller.kind === 'api_key' ? { kind: 'api_key' } : { kind: 'session', person: caller.memberId }

const mayGoOn = (ports: Ports, caller: Reader): Promise<boolean> =>
  caller.kind === 'api_key' ? isKeyGood(ports, caller.keyId) : isPersonGood(ports, caller)
