import { Type } from 'typebox'
import { defineKind } from '../define-kind.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { resendDeliveries } from './resend.ts'
import { webhookRoutes } from './routes.ts'
import { type EndpointTypes, endpointDecider, webhookEndpoint } from './rules.ts'

const settings = { tenant: text, url: text, eventTypes: orNull(Type.Array(text)) }

const resending = {
  id: text,
  status: oneOf(['held', 'pending', 'delivered', 'dead']),
  fromMs: orNull(time),
  toMs: orNull(time),
}

/** Nothing in it is personal; the secrets come sealed by the key of the organisation. */
export const webhookEndpointKind = defineKind<EndpointTypes>({
  references: webhookEndpoint,
  // Every event of an organisation asks for it, whether it has one or not.
  staysUnknown: true,
  decider: endpointDecider,
  ...storedRecord({
    events: {
      WebhookEndpointSet: { ...settings, sealedSecret: textOrNull },
      WebhookSecretRotated: { sealedSecret: text },
      WebhookEndpointRemoved: {},
      DeliveriesToResend: resending,
      ResendingReached: { id: text, toMs: time },
      DeliveriesResent: { id: text },
    },
    records: [
      {
        status: oneOf(['set', 'removed']),
        ...settings,
        sealedSecret: text,
        secretCreatedAtMs: time,
        sealedPreviousSecret: textOrNull,
        previousSecretExpiresAtMs: orNull(time),
        createdAtMs: time,
        updatedAtMs: time,
        resendings: Type.Optional(Type.Array(Type.Object(resending))),
      },
    ],
  }),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect, context) => resendDeliveries(ports, effect, context) }),
  routes: webhookRoutes,
})
