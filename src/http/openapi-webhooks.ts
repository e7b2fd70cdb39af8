import { type TSchema, Type } from 'typebox'
import { EVENT_TYPES, type EventType } from '../actors/publication-port.ts'
import { exampleOf } from './openapi-example.ts'
import { dateTime, exact, textOrNull } from './records/fields.ts'

type Json = { readonly [key: string]: unknown }

/** Data may get more fields within a version; receivers ignore what they do not know. */
const open = (properties: Record<string, TSchema>): TSchema => Type.Object(properties)

/** In every event: when the record changed, and which of its events this is. */
const place = {
  updatedAt: dateTime,
  sequence: Type.Integer({
    minimum: 1,
    description:
      'Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes.',
  }),
}
const changed = {
  id: Type.String(),
  state: Type.String(),
  previousState: textOrNull,
  externalId: textOrNull,
  ...place,
}
const disclosed = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

const events: Readonly<Record<EventType, { readonly summary: string; readonly data: TSchema }>> = {
  'connection.state_changed': {
    summary: 'A connection has changed its state',
    data: open({ ...changed, invitationId: textOrNull }),
  },
  'credential.state_changed': {
    summary: 'A credential exchange has changed its state',
    data: open({
      ...changed,
      connectionId: textOrNull,
      credentialDefinitionId: textOrNull,
      errorMessage: textOrNull,
      biometric: Type.Null(),
    }),
  },
  'proof.state_changed': {
    summary: 'A proof exchange has changed its state',
    data: open({
      ...changed,
      connectionId: textOrNull,
      proofTemplateId: textOrNull,
      verified: Type.Union([Type.Boolean(), Type.Null()]),
      disclosed: Type.Union([disclosed, Type.Null()]),
    }),
  },
  'wallet.sync_requested': {
    summary: 'The mediator holds messages for a wallet: wake the app',
    data: open({ walletId: Type.String(), externalId: textOrNull, ...place }),
  },
  'record.erased': {
    summary: 'The personal data of a record was erased on request',
    data: open({
      recordType: Type.Unsafe<string>({ type: 'string', enum: ['connection', 'credential', 'proof'] }),
      recordId: Type.String(),
      erasedAt: dateTime,
      initiator: Type.Unsafe<string>({ type: 'string', enum: ['api_key', 'tenant_member', 'operator'] }),
      ...place,
    }),
  },
}

const signature = {
  name: 'X-svc-Signature',
  in: 'header',
  required: true,
  description:
    't=<unix seconds>,v1=<hex>[,v1=<hex>]: HMAC-SHA256 of "<t>.<raw body>" under the signing secret; for 24 hours after a rotation the new secret comes first and the previous one second.',
  schema: { type: 'string' },
}

/** What is posted to the endpoint of an organisation. */
export const webhooks = (): Json =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const { summary, data } = events[type]
      const schema = exact({
        id: Type.String(),
        type: Type.Literal(type),
        createdAt: dateTime,
        tenantId: Type.String(),
        data,
      })
      return [type, { post: post(type, summary, schema) }]
    }),
  )

const post = (type: EventType, summary: string, schema: TSchema): Json => ({
  operationId: `receive ${type}`.replaceAll(/[ ._]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  summary,
  security: [],
  parameters: [signature],
  requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(schema) } } },
  responses: {
    '2XX': { description: 'Taken. Anything else, or nothing within 10 seconds, is tried again.' },
    '4XX': { description: 'Tried again.' },
  },
})
