import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { isGlobal } from '../../egress/address.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { endpointOf, type EndpointCommand, type WebhookEndpoint } from './rules.ts'

export type WebhookPorts = Pick<
  ApiPorts,
  'actors' | 'vault' | 'runtime' | 'allowPrivateTargets' | 'targetPorts' | 'eventTypes'
>

/** What the endpoint's ciphertexts are bound to. */
export const secretContext = (endpoint: string): string => `${endpoint} secret`

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
  ports: WebhookPorts,
  tenant: string,
  settings: WebhookSettings,
  commandId: string,
): Promise<WebhookEndpointAnswer> => {
  const problem = urlProblem(settings.url, ports) ?? typesProblem(settings.eventTypes, ports)
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
  ports: WebhookPorts,
  tenant: string,
  commandId: string,
): Promise<WebhookEndpointAnswer> =>
  withSecret(ports, tenant, commandId, (sealedSecret, atMs) => ({
    type: 'RotateWebhookSecret',
    atMs,
    sealedSecret,
  }))

export const removeWebhookEndpoint = (
  ports: WebhookPorts,
  tenant: string,
): Promise<WebhookEndpoint | Refused> => {
  const { actors, runtime } = ports
  const command = { type: 'RemoveWebhookEndpoint', atMs: runtime.now() } as const
  return actors.ask(endpointOf(tenant), command, { commandId: runtime.newId(), tenant })
}

/** Null when none is set. */
export const readWebhookEndpoint = async (
  { actors }: Pick<WebhookPorts, 'actors'>,
  tenant: string,
): Promise<WebhookEndpoint | null> => {
  const found = await actors.read(endpointOf(tenant), { tenant })
  return isRefused(found) ? null : found
}

const withSecret = async (
  ports: WebhookPorts,
  tenant: string,
  commandId: string,
  commandOf: (sealedSecret: string, atMs: number) => EndpointCommand,
): Promise<WebhookEndpointAnswer> => {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
  const key = await ports.vault.openTenant(tenant)
  const sealedSecret = key.seal(secret, secretContext(endpointOf(tenant)))
  const command = commandOf(sealedSecret, ports.runtime.now())
  const endpoint = await ports.actors.ask(endpointOf(tenant), command, { commandId, tenant })
  if (isRefused(endpoint)) return endpoint
  // The endpoint keeps a secret that it has already, and then this one is thrown away.
  return { endpoint, secret: endpoint.sealedSecret === sealedSecret ? secret : null }
}

const urlProblem = (
  text: string,
  { allowPrivateTargets, targetPorts = [] }: Pick<WebhookPorts, 'allowPrivateTargets' | 'targetPorts'>,
): string | null => {
  if (Array.from(text).length > URL_CHARACTERS_MAX)
    return `url must have at most ${URL_CHARACTERS_MAX} characters.`
  if (!URL.canParse(text)) return 'url must be a complete URL.'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivateTargets && url.protocol === 'http:'))
    return 'url must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'url must not hold a user name or a password.'
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (targetPorts.length > 0 && !targetPorts.includes(port))
    return `url must have one of the ports ${targetPorts.join(', ')}.`
  // A name is judged when it is looked up, before each delivery: it may lead elsewhere tomorrow.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!allowPrivateTargets && isIP(host) !== 0 && !isGlobal(host))
    return 'url must have a public address: this one is of a private network or of this machine.'
  return null
}

const typesProblem = (
  eventTypes: readonly string[] | null,
  { eventTypes: known }: Pick<WebhookPorts, 'eventTypes'>,
): string | null => {
  if (eventTypes === null) return null
  if (eventTypes.length === 0) return 'eventTypes must name at least one type, or be null for all.'
  const isUnknown = eventTypes.some((type) => !known.includes(type))
  return isUnknown ? `eventTypes may hold ${known.join(', ')}.` : null
}
