import {
  NOTHING_HAPPENS,
  atMostOne,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
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
  /** What is being sent again; records of before that was possible leave it out. */
  readonly resendings?: readonly Resending[]
}

/** All deliveries in these states that came to be in a span of time; null: without that end. */
export type Resending = {
  readonly id: string
  readonly status: 'held' | 'pending' | 'delivered' | 'dead'
  readonly fromMs: number | null
  readonly toMs: number | null
}

type Settings = Pick<WebhookEndpoint, 'tenant' | 'url' | 'eventTypes'>

export type EndpointCommand =
  /** The secret is taken when there is none yet; an endpoint that is set keeps its own. */
  | ({ readonly type: 'SetWebhookEndpoint'; readonly atMs: number; readonly sealedSecret: string } & Settings)
  | { readonly type: 'RotateWebhookSecret'; readonly atMs: number; readonly sealedSecret: string }
  | { readonly type: 'RemoveWebhookEndpoint'; readonly atMs: number }
  /** Refused unless events of the type are wanted; adds nothing, but stands in one batch with the delivery. */
  | { readonly type: 'RequireEventWanted'; readonly eventType: string }
  /** Refused while there is an endpoint; stands in one batch with a delivery that waits for one. */
  | { readonly type: 'RequireNoEndpoint' }
  /** Sends all deliveries of a status again that came to be in a span of time. */
  | ({ readonly type: 'ResendDeliveries'; readonly atMs: number } & Resending)
  /** All of the order that came to be at this time or later have been told. */
  | {
      readonly type: 'RecordResendingReached'
      readonly atMs: number
      readonly id: string
      readonly toMs: number
    }
  | { readonly type: 'RecordDeliveriesResent'; readonly atMs: number; readonly id: string }

export type EndpointEvent =
  | ({
      readonly type: 'WebhookEndpointSet'
      readonly atMs: number
      /** Null: the secret stays. */
      readonly sealedSecret: string | null
    } & Settings)
  | { readonly type: 'WebhookSecretRotated'; readonly atMs: number; readonly sealedSecret: string }
  | { readonly type: 'WebhookEndpointRemoved'; readonly atMs: number }
  | ({ readonly type: 'DeliveriesToResend'; readonly atMs: number } & Resending)
  | { readonly type: 'ResendingReached'; readonly atMs: number; readonly id: string; readonly toMs: number }
  | { readonly type: 'DeliveriesResent'; readonly atMs: number; readonly id: string }

export type EndpointEffect = {
  readonly id: string
  readonly kind: 'resend-deliveries'
  readonly tenant: string
  readonly resending: Resending
}

export type EndpointTypes = RecordTypes<WebhookEndpoint, EndpointCommand, EndpointEvent, EndpointEffect>
export type EndpointState = EndpointTypes['state']

export const webhookEndpoint = referencesTo<EndpointTypes>('whk')

/** An organisation has one endpoint, and it lives where the organisation lives. */
export const endpointOf = (tenant: string): Ref<EndpointTypes> =>
  webhookEndpoint.ref(`${webhookEndpoint.prefix}${tenant.slice(tenant.indexOf('_'))}`)

/** The type of the event that tries an endpoint. */
export const WEBHOOK_TEST = 'webhook.test'

export const SECRET_OVERLAP_MS = limits.secretOverlapHours * 3_600_000

const noEndpoint = refuse('not_found', 'No webhook endpoint is set.')
const isSet = refuse('not_found', 'There is an endpoint.')
const tooMany = refuse(
  'rate_limited',
  `At most ${limits.webhookResendingsMax} such orders are carried out at once; wait for one of them to end.`,
)
const notWanted = refuse('not_found', 'The endpoint does not want events of this type.')

export const endpointDecider: Decider<EndpointTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as WebhookEndpoint,
  views: { record: (state) => (state.status === 'set' ? state : noEndpoint) },
  owed: (state) =>
    state.status !== 'set'
      ? NOTHING_HAPPENS
      : resendingsOf(state).map((resending) => {
          const { id } = resending
          return { id: `resend:${id}`, kind: 'resend-deliveries', tenant: state.tenant, resending }
        }),
}

const resendingsOf = ({ resendings }: WebhookEndpoint): readonly Resending[] => resendings ?? NOTHING_HAPPENS

function decide(state: EndpointState, command: EndpointCommand): readonly EndpointEvent[] | Refused {
  if (command.type === 'SetWebhookEndpoint') return set(state, command)
  if (command.type === 'RequireEventWanted')
    return wants(state, command.eventType) ? NOTHING_HAPPENS : notWanted
  if (command.type === 'RequireNoEndpoint') return state.status === 'set' ? isSet : NOTHING_HAPPENS
  if (state.status !== 'set') return command.type === 'RecordDeliveriesResent' ? NOTHING_HAPPENS : noEndpoint
  const { atMs } = command
  switch (command.type) {
    case 'RemoveWebhookEndpoint':
      return [{ type: 'WebhookEndpointRemoved', atMs }]
    case 'RotateWebhookSecret':
      return [{ type: 'WebhookSecretRotated', atMs, sealedSecret: command.sealedSecret }]
    case 'ResendDeliveries':
      return resend(resendingsOf(state), command)
    case 'RecordResendingReached': {
      const { id, toMs } = command
      const known = resendingsOf(state).find((each) => each.id === id)
      const isFurther = known !== undefined && (known.toMs === null || known.toMs > toMs)
      return atMostOne(isFurther ? { type: 'ResendingReached', atMs, id, toMs } : null)
    }
    case 'RecordDeliveriesResent': {
      const { id } = command
      const isKnown = resendingsOf(state).some((each) => each.id === id)
      return atMostOne(isKnown ? { type: 'DeliveriesResent', atMs, id } : null)
    }
  }
}

function resend(
  under: readonly Resending[],
  command: EndpointCommand & { type: 'ResendDeliveries' },
): readonly EndpointEvent[] | Refused {
  if (under.some(({ id }) => id === command.id)) return NOTHING_HAPPENS
  return under.length >= limits.webhookResendingsMax ? tooMany : [{ ...command, type: 'DeliveriesToResend' }]
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

/** A test is wanted whatever the filter says: it is about the endpoint itself. */
export const wants = (state: EndpointState, eventType: string): boolean =>
  state.status === 'set' &&
  (state.eventTypes === null || state.eventTypes.includes(eventType) || eventType === WEBHOOK_TEST)

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
      // What was to be sent again waits like all else, and goes out when an endpoint is set.
      return { ...state, status: 'removed', updatedAtMs: event.atMs }
    case 'DeliveriesToResend': {
      if (state.status !== 'set') throw impossibleEvent(event, state.status)
      const { type: _, atMs: _atMs, ...resending } = event
      return { ...state, resendings: [...resendingsOf(state), resending] }
    }
    case 'ResendingReached': {
      if (state.status !== 'set') throw impossibleEvent(event, state.status)
      const { id, toMs } = event
      const resendings = resendingsOf(state).map((each) => (each.id === id ? { ...each, toMs } : each))
      return { ...state, resendings }
    }
    case 'DeliveriesResent':
      if (state.status !== 'set') throw impossibleEvent(event, state.status)
      return { ...state, resendings: resendingsOf(state).filter(({ id }) => id !== event.id) }
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
  const resendings = state.status === 'none' ? [] : [...ordered(resendingsOf(state)), heldSince(atMs)]
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
    resendings,
  }
}

const ordered = (resendings: readonly Resending[]): readonly Resending[] =>
  resendings.filter(({ status }) => status !== 'held')

/** What was held while there was no endpoint goes out now; whatever an earlier one of these has left is among it. */
const heldSince = (atMs: number): Resending => ({
  id: `held:${atMs}`,
  status: 'held',
  fromMs: null,
  toMs: null,
})
