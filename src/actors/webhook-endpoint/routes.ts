import { Type } from 'typebox'
import { EVENT_TYPES, type EventType } from '../../ports/publication.ts'
import { isRefused } from '../../domain/refused.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exact } from '../../http/route/fields.ts'
import { webhookSchema, webhookView, webhookWithSecretSchema } from './record.ts'
import { refusal } from '../../http/route/refusal.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Api } from '../api.ts'
import { tags } from '../tags.ts'

const settingRefusals = ['invalid_request'] as const
const rotatingRefusals = ['not_found'] as const
const PATH = '/v1/webhook'

const eventType = Type.Unsafe<EventType>({
  type: 'string',
  enum: EVENT_TYPES,
  description: 'A type of event.',
})

const settings = exact({
  url: Type.String({
    maxLength: 2_000,
    description: 'Where events are posted to: https, a public address, no user name and no password.',
    examples: ['https://backend.example/webhooks'],
  }),
  eventTypes: Type.Optional(
    Type.Union([Type.Array(eventType, { minItems: 1, maxItems: 20 }), Type.Null()], {
      description: 'Events of these types alone; null: all of them.',
      examples: [['credential.state_changed', 'proof.state_changed']],
    }),
  ),
})

/** Where an organisation hears of events. Its secret is in the one answer that makes it. */
export const webhookRoutes = ({ webhook, newId, now }: Api): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getWebhook',
    summary: 'Shows the webhook endpoint',
    description: 'Where none is set, every field is null. The secret is not shown.',
    tag: tags.webhooks,
    access: { callers: TENANT_CALLERS },
    responses: { 200: webhookSchema },
    errors: [],
    handle: async ({ caller }) => {
      const found = await webhook.read(caller.tenantId)
      return reply(200, webhookView(isRefused(found) ? null : found.endpoint, now()))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setWebhook',
    summary: 'Sets the webhook endpoint; the answer that creates it has the signing secret',
    description:
      'https only, and a public address. The answer that creates the endpoint is 201 and has the signing secret, this once.',
    tag: tags.webhooks,
    access: { callers: ['member'], needsStepUp: true },
    body: settings,
    responses: { 200: webhookSchema, 201: webhookWithSecretSchema },
    errors: settingRefusals,
    handle: async ({ caller, body: { url, eventTypes = null } }) => {
      const set = await webhook.set(caller.tenantId, { url, eventTypes })
      if (isRefused(set)) return refusal(settingRefusals, set)
      const shown = webhookView(set.endpoint, now())
      return set.secret === null ? reply(200, shown) : reply(201, { ...shown, secret: set.secret })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeWebhook',
    summary: 'Removes the webhook endpoint',
    tag: tags.webhooks,
    access: { callers: ['member'] },
    responses: { 200: webhookSchema },
    errors: [],
    handle: async ({ caller }) => {
      // Whether there was one or not, there is none now.
      await webhook.remove(caller.tenantId)
      return reply(200, webhookView(null, now()))
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Makes a new signing secret; deliveries carry both signatures for 24 hours',
    description:
      'The secret is shown this once. For 24 hours deliveries carry two signatures, the new secret first.',
    tag: tags.webhooks,
    access: { callers: ['member'], needsStepUp: true },
    responses: { 200: webhookWithSecretSchema },
    errors: rotatingRefusals,
    idempotency: {
      newRecordId: () => newId.of('rot'),
      showRecord: async (tenant) => {
        const found = await webhook.read(tenant)
        return webhookView(isRefused(found) ? null : found.endpoint, now())
      },
      storedFields: ['secretCreatedAt', 'previousSecretExpiresAt', 'updatedAt'],
      secretFields: ['secret'],
    },
    handle: async ({ caller, recordId }) => {
      const rotated = await webhook.rotate(caller.tenantId, recordId)
      if (isRefused(rotated)) return refusal(rotatingRefusals, rotated)
      return reply(200, { ...webhookView(rotated.endpoint, now()), secret: rotated.secret })
    },
  }),
]
