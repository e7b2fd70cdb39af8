import { type Static, Type } from 'typebox'
import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused } from '../../domain/decider.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { choice, idText } from '../../http/route/fields.ts'
import { listPage, pageOf, pageOfAll, pageReply, stateQuery } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord, shownRecord } from '../own-record.ts'
import { tags } from '../tags.ts'
import { eventStreamRoutes } from './event-stream-route.ts'
import {
  DELIVERIES,
  DELIVERY_STATUSES,
  rowStates,
  rowStatusesOf,
  searchOf,
  type ShownStatus,
} from './listed.ts'
import { deliverySchema, deliveryView, deliveryWithAttempts, deliveryWithAttemptsSchema } from './record.ts'
import { resendRoute } from './resend-route.ts'
import { noSuchDelivery, webhookDelivery } from './rules.ts'
import { trialOf, tryEndpoint } from './trial.ts'
import { syntheticEventId } from './trigger.ts'
import { triggerRoute } from './trigger-route.ts'

type Ports = Parameters<typeof eventStreamRoutes>[0] &
  Parameters<typeof triggerRoute>[0] &
  Pick<ApiPorts, 'directory' | 'hasOwnKey'>

const PATH = '/v1/webhook/deliveries'
const unknown = ['not_found'] as const
const noSuch = problem('not_found', noSuchDelivery.reason)

const { page, pageSize, q, from, to } = stateQuery
const queryOf = (eventTypes: readonly string[]) =>
  Type.Object({
    page,
    pageSize,
    q,
    from,
    to,
    status: Type.Optional(choice(DELIVERY_STATUSES, 'In this state.', 'dead')),
    eventType: Type.Optional(choice(eventTypes, 'Of events of this type.', 'credential.state_changed')),
    recordId: Type.Optional(idText('Of events of this record.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y')),
  })

/** What was sent to an organisation's endpoint, and what came of it. */
export const deliveryRoutes = (ports: Ports): readonly Route[] => {
  const view = shownRecord(ports, webhookDelivery, deliveryView)
  return [
    ...eventStreamRoutes(ports),
    triggerRoute(ports),
    defineRoute({
      method: 'GET',
      path: PATH,
      operationId: 'listWebhookDeliveries',
      summary: 'Lists webhook deliveries, newest first',
      description:
        '`q` looks in the id of the record. A delivery is listed until the retention of its record is over.',
      tag: tags.webhooks,
      access: { callers: TENANT_CALLERS },
      query: queryOf(ports.eventTypes),
      responses: { 200: pageOf(deliverySchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query, head }) => {
        const { q: _, recordId: _recordId, status, eventType, ...rest } = query
        const found = searchOf(query)
        if (found === null)
          return pageReply(
            head,
            pageOfAll([], rest, () => []),
          )
        const state = statesOf({ status, eventType }, ports.eventTypes)
        const request = { ...rest, state, ...(found !== undefined && { q: found }) }
        const list = { tenant, kind: DELIVERIES }
        return pageReply(head, await listPage(ports.directory, list, request, (id) => view(tenant, id)))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getWebhookDelivery',
      summary: 'Shows a webhook delivery with its attempts',
      description:
        'What your receiver answered belongs to the personal data of the record that the event is about, and goes with it.',
      tag: tags.webhooks,
      access: { callers: TENANT_CALLERS },
      responses: { 200: deliveryWithAttemptsSchema },
      errors: unknown,
      handle: ({ caller: { tenantId }, params: { id } }) =>
        chain(ownRecord(ports, webhookDelivery, tenantId, id), async (found) => {
          const shown = found === null ? null : await deliveryWithAttempts(ports, id, found)
          return shown === null ? noSuch : reply(200, shown)
        }),
    }),
    retryRoute(ports),
    resendRoute(ports),
    trialRoute(ports, view),
  ]
}

type Wanted = { readonly status: ShownStatus | undefined; readonly eventType: string | undefined }

/** None where all of them are wanted. */
const statesOf = ({ status, eventType }: Wanted, eventTypes: readonly string[]): string[] => {
  if (status === undefined && eventType === undefined) return []
  const statuses: readonly ShownStatus[] = status === undefined ? DELIVERY_STATUSES : [status]
  return [...rowStates(statuses.flatMap(rowStatusesOf), eventType === undefined ? eventTypes : [eventType])]
}

type View = (tenant: string, id: string) => Eventually<Static<typeof deliverySchema> | null>

const retryRoute = (ports: Ports): Route =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/{id}/retry`,
    operationId: 'retryWebhookDelivery',
    summary: 'Sends a webhook delivery again, whatever became of it',
    description:
      'It goes out at once, to the endpoint as it is set then. One that is dead or was delivered begins a new schedule; one that waits for its next attempt does not wait any longer.',
    tag: tags.webhooks,
    access: { callers: ['member'] },
    responses: { 202: deliverySchema },
    errors: unknown,
    idempotency: {
      newRecordId: () => ports.runtime.newId(),
      // The delivery is there whether an attempt whose answer was lost has sent it again or not, so that is told again.
      showRecord: () => null,
      storedFields: Object.keys(deliverySchema.properties),
    },
    handle: async ({ caller: { tenantId: tenant }, params: { id }, recordId }) => {
      const found = await ownRecord(ports, webhookDelivery, tenant, id)
      if (found === null) return noSuch
      const command = { type: 'RetryDelivery', atMs: Math.floor(ports.runtime.now()) } as const
      const options = { commandId: `retry:${recordId}`, tenant }
      const asked = await ports.actors.ask(webhookDelivery.ref(id), command, options)
      if (isRefused(asked)) return refusal(unknown, asked)
      const shown = deliveryView(id, asked)
      return shown === null ? noSuch : reply(202, shown)
    },
  })

const trialRoute = (ports: Ports, view: View): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/webhook/test',
    operationId: 'testWebhook',
    summary: 'Sends a test event to the webhook endpoint',
    description:
      'An event `webhook.test`, signed as any other and whatever types the endpoint wants. The answer is its delivery; `GET /v1/webhook/deliveries/{id}` shows what became of it.',
    tag: tags.webhooks,
    access: { callers: ['member'] },
    responses: { 202: deliverySchema },
    errors: unknown,
    idempotency: {
      newRecordId: () => syntheticEventId(ports.runtime.newId()),
      showRecord: (tenant, eventId) => view(tenant, trialOf(tenant, eventId)),
    },
    handle: async ({ caller: { tenantId: tenant }, recordId: eventId }) => {
      const sent = await tryEndpoint(ports, tenant, eventId)
      if (isRefused(sent)) return problem('not_found', 'No webhook endpoint is set.')
      const shown = deliveryView(trialOf(tenant, eventId), sent)
      return shown === null ? noSuch : reply(202, shown)
    },
  })
