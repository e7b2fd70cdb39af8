import { Type } from 'typebox'
import {
  type EndpointCommand,
  type EndpointEvent,
  type EndpointReply,
  type EndpointState,
  endpointDecider,
} from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { OldActorDefinition } from '../../host/definition.ts'
import { defineActor } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

const ENDPOINT = 'whk'

/** An organisation has one endpoint, and it lives where the organisation lives. */
export const endpointOf = (tenant: string): string => `${ENDPOINT}${tenant.slice(tenant.indexOf('_'))}`

/** What the endpoint's ciphertexts are bound to. */
export const secretContext = (endpoint: string): string => `${endpoint} secret`

const settings = { tenant: text, url: text, eventTypes: orNull(Type.Array(text)) }

const events = eventCodec({
  WebhookEndpointSet: {
    version: 1,
    schema: event('WebhookEndpointSet', { ...settings, sealedSecret: textOrNull }),
  },
  WebhookSecretRotated: { version: 1, schema: event('WebhookSecretRotated', { sealedSecret: text }) },
  WebhookEndpointRemoved: { version: 1, schema: event('WebhookEndpointRemoved', {}) },
})

const snapshots = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({
      status: oneOf(['set', 'removed']),
      ...settings,
      sealedSecret: text,
      secretCreatedAtMs: time,
      sealedPreviousSecret: textOrNull,
      previousSecretExpiresAtMs: orNull(time),
      createdAtMs: time,
      updatedAtMs: time,
    }),
  ]),
})

export const endpointActor: OldActorDefinition<EndpointState, EndpointCommand, EndpointEvent, EndpointReply> =
  defineActor({
    kind: ENDPOINT,
    decider: endpointDecider,
    events,
    snapshots,
    snapshotEvery: 50,
    // Nothing personal; the secrets come sealed by the key of the organisation.
    keyParent: null,
    erased: () => false,
    perform: () => Promise.reject(new Error('a webhook endpoint owes nothing')),
    onTimer: () => {
      throw new Error('a webhook endpoint has no timers')
    },
  })
