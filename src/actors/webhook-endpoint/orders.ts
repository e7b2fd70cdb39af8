import { type Static, type TObject, Type } from 'typebox'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { WebhookEndpoint } from './rules.ts'
import { exact, isoTime } from '../../http/route/fields.ts'
import {
  readWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  setWebhookEndpoint,
  type WebhookEndpointAnswer,
  type WebhookPorts,
} from './commands.ts'
import { type Command, command, type Commands } from '../../compose/command.ts'

export type WebhookCommandPorts = WebhookPorts & {
  /** Null when there is such an organisation. */
  readonly requireTenant: (tenant: string) => Promise<Refused | null>
  readonly newId: () => string
}

const tenant = Type.String({ minLength: 1, maxLength: 100 })
const eventTypes = Type.Union([Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }), Type.Null()])

/** The endpoint of an organisation, as the operator orders it. A secret is in the one answer that makes it. */
export const webhookCommands = (ports: WebhookCommandPorts): Commands => ({
  'webhook set': ofEndpoint(ports, { tenant, url: Type.String(), eventTypes }, (order) =>
    setWebhookEndpoint(ports, order.tenant, order, ports.newId()),
  ),
  'webhook rotate': ofEndpoint(ports, { tenant }, (order) =>
    rotateWebhookSecret(ports, order.tenant, ports.newId()),
  ),
  'webhook remove': ofEndpoint(ports, { tenant }, async (order) =>
    withoutSecret(await removeWebhookEndpoint(ports, order.tenant)),
  ),
  'webhook show': ofEndpoint(ports, { tenant }, async (order) =>
    withoutSecret(
      (await readWebhookEndpoint(ports, order.tenant)) ?? refuse('not_found', 'No webhook endpoint is set.'),
    ),
  ),
})

const withoutSecret = (found: WebhookEndpoint | Refused): WebhookEndpointAnswer =>
  isRefused(found) ? found : { endpoint: found, secret: null }

const ofEndpoint = <Properties extends TObject['properties'] & { tenant: typeof tenant }>(
  ports: WebhookCommandPorts,
  properties: Properties,
  run: (order: Static<TObject<Properties>> & { tenant: string }) => Promise<WebhookEndpointAnswer>,
): Command =>
  command(exact(properties), async (input) => {
    const order = input as Static<TObject<Properties>> & { tenant: string }
    const stranger = await ports.requireTenant(order.tenant)
    if (stranger !== null) return stranger
    const answer = await run(order)
    return isRefused(answer) ? answer : { ...shown(answer.endpoint), ...secretOf(answer.secret) }
  })

const secretOf = (secret: string | null): object => (secret === null ? {} : { secret })

const shown = (endpoint: WebhookEndpoint): object => {
  const isSet = endpoint.status === 'set'
  const expiresAtMs = endpoint.previousSecretExpiresAtMs
  return {
    url: isSet ? endpoint.url : null,
    eventTypes: isSet ? endpoint.eventTypes : null,
    secretCreatedAt: isSet ? isoTime(endpoint.secretCreatedAtMs) : null,
    previousSecretExpiresAt: isSet && expiresAtMs !== null ? isoTime(expiresAtMs) : null,
    createdAt: isoTime(endpoint.createdAtMs),
    updatedAt: isoTime(endpoint.updatedAtMs),
  }
}
