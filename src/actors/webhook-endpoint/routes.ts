import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { choice, exact } from '../../http/route/fields.ts'
import { webhookSchema, webhookView, webhookWithSecretSchema } from './record.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRecordId } from '../ids.ts'
import {
  readWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  setWebhookEndpoint,
  type WebhookPorts,
} from './commands.ts'
import { tags } from '../tags.ts'

const settingRefusals = ['invalid_request'] as const
const rotatingRefusals = ['not_found'] as const
const PATH = '/v1/webhook'

const settingsOf = (eventTypes: readonly string[]) => {
  const eventType = choice(eventTypes, 'A type of event.')
  return exact({
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
}

/** Where an organisation hears of events. Its secret is in the one answer that makes it. */
export const webhookRoutes = (ports: WebhookPorts): readonly Route[] => [
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
      return reply(200, webhookView(await readWebhookEndpoint(ports, caller.tenantId), ports.runtime.now()))
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
    body: settingsOf(ports.eventTypes),
    responses: { 200: webhookSchema, 201: webhookWithSecretSchema },
    errors: settingRefusals,
    handle: async ({ caller, body: { url, eventTypes = null } }) => {
      const { runtime } = ports
      const set = await setWebhookEndpoint(ports, caller.tenantId, { url, eventTypes }, runtime.newId())
      if (isRefused(set)) return refusal(settingRefusals, set)
      const shown = webhookView(set.endpoint, runtime.now())
      return set.secret === null ? reply(200, shown) : reply(201, { ...shown, secret: set.secret })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeWebhook',
    summary: 'Removes the webhook endpoint',
    tag: tags.webhooks,
    access: { callers: ['member'], needsStepUp: true, isWithoutSecret: true },
    responses: { 200: webhookSchema },
    errors: [],
    handle: async ({ caller }) => {
      // Whether there was one or not, there is none now.
      await removeWebhookEndpoint(ports, caller.tenantId)
      return reply(200, webhookView(null, ports.runtime.now()))
    },
  }),
  rotation(ports),
]

const rotation = (ports: WebhookPorts): Route =>
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
      newRecordId: () => newRecordId('rot', ports.runtime),
      showRecord: async (tenant) =>
        webhookView(await readWebhookEndpoint(ports, tenant), ports.runtime.now()),
      storedFields: ['secretCreatedAt', 'previousSecretExpiresAt', 'updatedAt'],
      secretFields: ['secret'],
    },
    handle: async ({ caller, recordId }) => {
      const rotated = await rotateWebhookSecret(ports, caller.tenantId, recordId)
      if (isRefused(rotated)) return refusal(rotatingRefusals, rotated)
      return reply(200, { ...webhookView(rotated.endpoint, ports.runtime.now()), secret: rotated.secret })
    },
  })
