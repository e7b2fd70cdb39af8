import { type Static, Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { choice, exact, isoTime, momentOrNull, recordOf, words } from '../../http/route/fields.ts'
import { listPage, stateQuery, timeOf } from '../../http/route/list.ts'
import { problem, retryAfter } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import { DELIVERIES, DELIVERY_STATUSES, rowStates, rowStatusesOf, type ShownStatus } from './listed.ts'

type Ports = Pick<ApiPorts, 'actors' | 'directory' | 'runtime' | 'eventTypes'>

/** When one of the orders that are carried out may have ended. */
const FULL_RETRY_MS = 60_000
const refusals = ['not_found', 'invalid_request', 'rate_limited'] as const

const { from, to } = stateQuery
const status = choice(DELIVERY_STATUSES, 'Those in this state.', 'dead')

const orderSchema = recordOf('WebhookResending', {
  id: words('Names the order.', '01k9m3p5r7t9v1x3z5b7d9f1h3'),
  status,
  from: momentOrNull('Those created at this time or later; null: from the first one on.'),
  to: momentOrNull('Those created before this time.'),
  deliveries: Type.Integer({ minimum: 0, description: 'How many these were when the order was taken.' }),
})

/** Many deliveries at once. They go out one after the other, as fast as the endpoint takes them. */
export const resendRoute = (ports: Ports): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/webhook/deliveries/retry',
    operationId: 'retryWebhookDeliveries',
    summary: 'Sends all webhook deliveries of a status and a span of time again',
    description:
      'Answers at once; the deliveries go out as fast as the endpoint takes them, and the list shows how far they are. Receivers know repetitions by the id of the event. Without an endpoint it is 404.',
    tag: tags.webhooks,
    access: { callers: ['member'] },
    body: exact({ status, from, to }),
    responses: { 202: orderSchema },
    errors: refusals,
    idempotency: {
      newRecordId: () => ports.runtime.newId(),
      // All of the answer is kept with the key: the order itself is gone when it is carried out.
      showRecord: () => null,
      storedFields: Object.keys(orderSchema.properties),
    },
    handle: async ({ caller: { tenantId: tenant }, body, recordId: id }) => {
      const nowMs = Math.floor(ports.runtime.now())
      const { status: wanted, ...times } = body
      const state = [...rowStates(rowStatusesOf(wanted), ports.eventTypes)]
      const list = { tenant, kind: DELIVERIES }
      const found = await listPage(ports.directory, list, { ...times, state }, () => null)
      if ('problem' in found) return found
      // What comes to be from now on is not meant.
      const span = { fromMs: timeOf(body.from), toMs: Math.min(timeOf(body.to) ?? nowMs, nowMs) }
      const command = { type: 'ResendDeliveries', atMs: nowMs, id, status: wanted, ...span } as const
      const asked = await ports.actors.ask(endpointOf(tenant), command, { commandId: `resend:${id}`, tenant })
      if (!isRefused(asked)) return reply(202, orderView(command, found.total))
      return asked.refused === 'not_found'
        ? problem('not_found', asked.reason)
        : problem('rate_limited', asked.reason, retryAfter(FULL_RETRY_MS))
    },
  })

type Order = {
  readonly id: string
  readonly status: ShownStatus
  readonly fromMs: number | null
  readonly toMs: number
}

const orderView = (
  { id, status: ordered, fromMs, toMs }: Order,
  deliveries: number,
): Static<typeof orderSchema> => ({
  id,
  status: ordered,
  from: fromMs === null ? null : isoTime(fromMs),
  to: isoTime(toMs),
  deliveries,
})
