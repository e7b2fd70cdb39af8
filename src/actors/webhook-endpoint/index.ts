import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'
import { webhookRoutes } from './routes.ts'
import { type EndpointTypes, endpointDecider, webhookEndpoint } from './rules.ts'

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

/** Nothing in it is personal; the secrets come sealed by the key of the organisation. */
export const webhookEndpointKind = defineKind<EndpointTypes>({
  references: webhookEndpoint,
  decider: endpointDecider,
  events,
  snapshots,
  routes: webhookRoutes,
})
