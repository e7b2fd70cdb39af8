import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'

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

export type EndpointState = { readonly status: 'none' } | WebhookEndpoint

type Settings = Pick<WebhookEndpoint, 'tenant' | 'url' | 'eventTypes'>

export type EndpointCommand =
  /** The secret is taken when there is none yet; an endpoint that is set keeps its own. */
  | ({ readonly type: 'SetWebhookEndpoint'; readonly atMs: number; readonly sealedSecret: string } & Settings)
  | { readonly type: 'RotateWebhookSecret'; readonly atMs: number; readonly sealedSecret: string }
  | { readonly type: 'RemoveWebhookEndpoint'; readonly atMs: number }
  /** Whether an event of the type is to be delivered; adds nothing, but stands in one batch with the delivery. */
  | { readonly type: 'MatchEvent'; readonly eventType: string }
  | { readonly type: 'ReadWebhookEndpoint' }

export type EndpointEvent =
  | ({
      readonly type: 'WebhookEndpointSet'
      readonly atMs: number
      /** Null: the secret stays. */
      readonly sealedSecret: string | null
    } & Settings)
  | { readonly type: 'WebhookSecretRotated'; readonly atMs: number; readonly sealedSecret: string }
  | { readonly type: 'WebhookEndpointRemoved'; readonly atMs: number }

export type EndpointReply = { readonly endpoint: WebhookEndpoint } | { readonly matched: boolean } | Refused

type Decided = Decision<EndpointEvent, EndpointReply>

export const SECRET_OVERLAP_MS = limits.secretOverlapHours * 3_600_000

export const endpointDecider: OldDecider<EndpointState, EndpointCommand, EndpointEvent, EndpointReply> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unset().reply : { endpoint: state }),
  evolve,
  owed: () => [],
  timers: () => [],
}

const nothing = (reply: EndpointReply): Decided => ({ events: [], reply })
const unset = (): Decided => nothing(refuse('not_found', 'No webhook endpoint is set.'))

function decide(state: EndpointState, command: EndpointCommand): Decided {
  if (command.type === 'SetWebhookEndpoint') return set(state, command)
  if (command.type === 'MatchEvent') return nothing({ matched: matches(state, command.eventType) })
  if (state.status !== 'set') return unset()
  const { type, ...facts } = command
  switch (type) {
    case 'RotateWebhookSecret':
      return changed(state, {
        type: 'WebhookSecretRotated',
        ...(facts as { atMs: number; sealedSecret: string }),
      })
    case 'RemoveWebhookEndpoint':
      return changed(state, { type: 'WebhookEndpointRemoved', ...(facts as { atMs: number }) })
    case 'ReadWebhookEndpoint':
      return nothing({ endpoint: state })
  }
}

function set(state: EndpointState, command: EndpointCommand & { type: 'SetWebhookEndpoint' }): Decided {
  const { type: _, sealedSecret, ...settings } = command
  if (state.status !== 'set') return changed(state, { type: 'WebhookEndpointSet', ...settings, sealedSecret })
  const same =
    state.url === settings.url && JSON.stringify(state.eventTypes) === JSON.stringify(settings.eventTypes)
  if (same) return nothing({ endpoint: state })
  return changed(state, { type: 'WebhookEndpointSet', ...settings, sealedSecret: null })
}

const matches = (state: EndpointState, eventType: string): boolean =>
  state.status === 'set' && (state.eventTypes === null || state.eventTypes.includes(eventType))

function evolve(state: EndpointState, event: EndpointEvent): EndpointState {
  switch (event.type) {
    case 'WebhookEndpointSet':
      return evolveSet(state, event)
    case 'WebhookSecretRotated':
      if (state.status !== 'set') throw impossible(state, event)
      return {
        ...state,
        sealedSecret: event.sealedSecret,
        secretCreatedAtMs: event.atMs,
        sealedPreviousSecret: state.sealedSecret,
        previousSecretExpiresAtMs: event.atMs + SECRET_OVERLAP_MS,
        updatedAtMs: event.atMs,
      }
    case 'WebhookEndpointRemoved':
      if (state.status !== 'set') throw impossible(state, event)
      return { ...state, status: 'removed', updatedAtMs: event.atMs }
  }
}

function evolveSet(
  state: EndpointState,
  event: EndpointEvent & { type: 'WebhookEndpointSet' },
): EndpointState {
  const { atMs, tenant, url, eventTypes, sealedSecret } = event
  if (sealedSecret === null) {
    if (state.status !== 'set') throw impossible(state, event)
    return { ...state, url, eventTypes, updatedAtMs: atMs }
  }
  if (state.status === 'set') throw impossible(state, event)
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

const changed = (state: EndpointState, event: EndpointEvent): Decided => ({
  events: [event],
  reply: { endpoint: evolve(state, event) as WebhookEndpoint },
})

const impossible = (state: EndpointState, event: EndpointEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
