import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Vault } from '../../ports/vault.ts'
import { endpointOf, secretContext } from './kind.ts'
import { EVENT_TYPES, type EventType } from '../../ports/publication.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { EndpointCommand, EndpointReply, WebhookEndpoint } from './rules.ts'

export type WebhookEndpointPorts = {
  readonly actors: Actors
  readonly vault: Pick<Vault, 'openTenant'>
  readonly runtime: Pick<Runtime, 'now'>
  readonly askTimeoutMs: number
  /** For development only: plain http, and addresses of one's own network. */
  readonly allowPrivateTargets: boolean
  /** Whether an IP address may be delivered to. */
  readonly isPublicAddress: (address: string) => boolean
}

export type WebhookSettings = { readonly url: string; readonly eventTypes: readonly string[] | null }

/** `secret` is there in the one answer that may show it. */
export type WebhookEndpointAnswer =
  | { readonly endpoint: WebhookEndpoint; readonly secret: string | null }
  | Refused

const SECRET_PREFIX = 'svc_whsec_'
const SECRET_BYTES = 32
const URL_CHARACTERS_MAX = 2_000

/** Sets the endpoint or changes it; the answer that creates it has the secret. The same `commandId` again changes nothing. */
export const setWebhookEndpoint = async (
  ports: WebhookEndpointPorts,
  tenant: string,
  settings: WebhookSettings,
  commandId: string,
): Promise<WebhookEndpointAnswer> => {
  const problem = urlProblem(settings.url, ports) ?? typesProblem(settings.eventTypes)
  if (problem !== null) return refuse('invalid_request', problem)
  const { url, eventTypes } = settings
  return withSecret(ports, tenant, commandId, (sealedSecret, atMs) => ({
    type: 'SetWebhookEndpoint',
    atMs,
    tenant,
    url,
    eventTypes,
    sealedSecret,
  }))
}

/** The new secret is in the answer; the previous one counts for a day. */
export const rotateWebhookSecret = (
  ports: WebhookEndpointPorts,
  tenant: string,
  commandId: string,
): Promise<WebhookEndpointAnswer> =>
  withSecret(ports, tenant, commandId, (sealedSecret, atMs) => ({
    type: 'RotateWebhookSecret',
    atMs,
    sealedSecret,
  }))

export const removeWebhookEndpoint = async (
  ports: WebhookEndpointPorts,
  tenant: string,
  commandId: string,
): Promise<WebhookEndpointAnswer> =>
  asked(await ask(ports, tenant, { type: 'RemoveWebhookEndpoint', atMs: ports.runtime.now() }, commandId))

/** Refused with `not_found` when none is set. */
export const readWebhookEndpoint = async (
  ports: WebhookEndpointPorts,
  tenant: string,
): Promise<WebhookEndpointAnswer> => asked(await ask(ports, tenant, { type: 'ReadWebhookEndpoint' }, ''))

const withSecret = async (
  ports: WebhookEndpointPorts,
  tenant: string,
  commandId: string,
  commandOf: (sealedSecret: string, atMs: number) => EndpointCommand,
): Promise<WebhookEndpointAnswer> => {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
  const key = await ports.vault.openTenant(tenant)
  const sealedSecret = key.seal(secret, secretContext(endpointOf(tenant)))
  const answer = asked(await ask(ports, tenant, commandOf(sealedSecret, ports.runtime.now()), commandId))
  // Whether our secret was taken, or there was one already.
  if (isRefused(answer) || answer.endpoint.sealedSecret !== sealedSecret) return answer
  return { ...answer, secret }
}

const ask = (
  { actors, askTimeoutMs }: WebhookEndpointPorts,
  tenant: string,
  command: EndpointCommand,
  commandId: string,
): Promise<EndpointReply> =>
  actors.ask<EndpointReply>(endpointOf(tenant), command, { commandId, timeoutMs: askTimeoutMs, tenant })

const asked = (reply: EndpointReply): WebhookEndpointAnswer => {
  if (isRefused(reply)) return reply
  if (!('endpoint' in reply)) throw new Error('the endpoint answered another question')
  return { endpoint: reply.endpoint, secret: null }
}

const urlProblem = (
  text: string,
  {
    allowPrivateTargets,
    isPublicAddress,
  }: Pick<WebhookEndpointPorts, 'allowPrivateTargets' | 'isPublicAddress'>,
): string | null => {
  if (Array.from(text).length > URL_CHARACTERS_MAX)
    return `url must have at most ${URL_CHARACTERS_MAX} characters.`
  if (!URL.canParse(text)) return 'url must be a complete URL.'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivateTargets && url.protocol === 'http:'))
    return 'url must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'url must not hold a user name or a password.'
  // A name is judged when it is looked up, before each delivery: it may lead elsewhere tomorrow.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!allowPrivateTargets && isIP(host) !== 0 && !isPublicAddress(host))
    return 'url must have a public address: this one is of a private network or of this machine.'
  return null
}

const typesProblem = (eventTypes: readonly string[] | null): string | null => {
  if (eventTypes === null) return null
  if (eventTypes.length === 0) return 'eventTypes must name at least one type, or be null for all.'
  const unknown = eventTypes.find((type) => !EVENT_TYPES.includes(type as EventType))
  return unknown === undefined ? null : `eventTypes may hold ${EVENT_TYPES.join(', ')}.`
}
