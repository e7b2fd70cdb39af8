import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import type { RecordTypes } from '../../domain/record.ts'
import { referencesTo, type Ref } from '../../domain/references.ts'

/**
 *   none ──set──▶ set ──remove──▶ removed ──set──▶ set
 *
 * One per organisation. Secrets come in and are kept as ciphertext under the organisation's key.
 */
export type WebhookEndpoint = {
  readonly status: 'set' | 'removed'
  readonly tenant: string
  readonly url: string
  /** Null: every type. */
  readonly eventTypes: readonly string[] | null
  readonly sealedSecret: string
  readonly secretCreatedAtMs: number
  readonly sealedPreviousSecret: string | null
  readonly previousSecretExpiresAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type Settings = Pick<WebhookEndpoint, 'tenant' | 'url' | 'eventTypes'>

export type EndpointCommand =
  /** The secret is taken when there is none yet; an endpoint that is set keeps its own. */
  | ({ readonly type: 'SetWebhookEndpoint'; readonly atMs: number; readonly sealedSecret: string } & Settings)
  | { readonly type: 'RotateWebhookSecret'; readonly atMs: number; readonly sealedSecret: string }
  | { readonly type: 'RemoveWebhookEndpoint'; readonly atMs: number }
  /** Refused unless events of the type are wanted; adds nothing, but stands in one batch with the delivery. */
  | { readonly type: 'RequireEventWanted'; readonly eventType: string }

export type EndpointEvent =
  | ({
      readonly type: 'WebhookEndpointSet'
      readonly atMs: number
      /** Null: the secret stays. */
      readonly sealedSecret: string | null
    } & Settings)
  | { readonly type: 'WebhookSecretRotated'; readonly atMs: number; readonly sealedSecret: string }
  | { readonly type: 'WebhookEndpointRemoved'; readonly atMs: number }

export type EndpointTypes = RecordTypes<WebhookEndpoint, EndpointCommand, EndpointEvent>
export type EndpointState = EndpointTypes['state']

export const webhookEndpoint = referencesTo<EndpointTypes>('whk')

/** An organisation has one endpoint, and it lives where the organisation lives. */
export const endpointOf = (tenant: string): Ref<EndpointTypes> =>
  webhookEndpoint.ref(`${webhookEndpoint.prefix}${tenant.slice(tenant.indexOf('_'))}`)

export const SECRET_OVERLAP_MS = limits.secretOverlapHours * 3_600_000

const noEndpoint = refuse('not_found', 'No webhook endpoint is set.')
const notWanted = refuse('not_found', 'The endpoint does not want events of this type.')

export const endpointDecider: Decider<EndpointTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as WebhookEndpoint,
  views: { record: (state) => (state.status === 'set' ? state : noEndpoint) },
}

function decide(state: EndpointState, command: EndpointCommand): readonly EndpointEvent[] | Refused {
  if (command.type === 'SetWebhookEndpoint') return set(state, command)
  if (command.type === 'RequireEventWanted')
    return wants(state, command.eventType) ? NOTHING_HAPPENS : notWanted
  if (state.status !== 'set') return noEndpoint
  const { atMs } = command
  return command.type === 'RemoveWebhookEndpoint'
    ? [{ type: 'WebhookEndpointRemoved', atMs }]
    : [{ type: 'WebhookSecretRotated', atMs, sealedSecret: command.sealedSecret }]
}

function set(
  state: EndpointState,
  command: EndpointCommand & { type: 'SetWebhookEndpoint' },
): readonly EndpointEvent[] {
  const { type: _, sealedSecret, ...settings } = command
  if (state.status !== 'set') return [{ type: 'WebhookEndpointSet', ...settings, sealedSecret }]
  const isSame =
    state.url === settings.url && JSON.stringify(state.eventTypes) === JSON.stringify(settings.eventTypes)
  return isSame ? NOTHING_HAPPENS : [{ type: 'WebhookEndpointSet', ...settings, sealedSecret: null }]
}

const wants = (state: EndpointState, eventType: string): boolean =>
  state.status === 'set' && (state.eventTypes === null || state.eventTypes.includes(eventType))

function evolve(state: EndpointState, event: EndpointEvent): EndpointState {
  switch (event.type) {
    case 'WebhookEndpointSet':
      return evolveSet(state, event)
    case 'WebhookSecretRotated':
      if (state.status !== 'set') throw impossibleEvent(event, state.status)
      return {
        ...state,
        sealedSecret: event.sealedSecret,
        secretCreatedAtMs: event.atMs,
        sealedPreviousSecret: state.sealedSecret,
        previousSecretExpiresAtMs: event.atMs + SECRET_OVERLAP_MS,
        updatedAtMs: event.atMs,
      }
    case 'WebhookEndpointRemoved':
      if (state.status !== 'set') throw impossibleEvent(event, state.status)
      return { ...state, status: 'removed', updatedAtMs: event.atMs }
  }
}

function evolveSet(
  state: EndpointState,
  event: EndpointEvent & { type: 'WebhookEndpointSet' },
): EndpointState {
  const { atMs, tenant, url, eventTypes, sealedSecret } = event
  if (sealedSecret === null) {
    if (state.status !== 'set') throw impossibleEvent(event, state.status)
    return { ...state, url, eventTypes, updatedAtMs: atMs }
  }
  if (state.status === 'set') throw impossibleEvent(event, state.status)
  return {
    status: 'set',
    tenant,
    url,
    eventTypes,
    sealedSecret,
    secretCreatedAtMs: atMs,
    sealedPreviousSecret: null,
    previousSecretExpiresAtMs: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
}
