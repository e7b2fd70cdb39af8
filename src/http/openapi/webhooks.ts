import { type TSchema, Type } from 'typebox'
import { EVENT_TYPES, type EventType } from '../../ports/publication.ts'
import { exampleOf } from './example.ts'
import { faceCheck } from '../../actors/exchange-fields.ts'
import { moment, recordOf, words, wordsOrNull } from '../route/fields.ts'

type Json = { readonly [key: string]: unknown }

/** Data may get more fields within a version; receivers ignore what they do not know. */
const open = (properties: Record<string, TSchema>): TSchema =>
  Type.Object(properties, { description: 'What has happened to which record.' })

const connectionId = wordsOrNull('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x')
const externalId = wordsOrNull('Your own name for the record.', 'order-1042')

/** In every event: when the record changed, and which of its events this is. */
const place = {
  updatedAt: moment('When the record changed.'),
  sequence: Type.Integer({
    minimum: 1,
    description:
      'Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes.',
  }),
}
const changed = {
  id: words('The record.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
  state: words('Its state now.', 'done'),
  previousState: wordsOrNull('Its state before; null in its first event.', 'credential-issued'),
  externalId,
  ...place,
}
const disclosed = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

/** An event of another kind of record than credentials. */
const seen = (id: string, state: string, previousState: string) => ({
  id: words('The record.', id),
  state: words('Its state now.', state),
  previousState: wordsOrNull('Its state before; null in its first event.', previousState),
})

const events: Readonly<Record<EventType, { readonly summary: string; readonly data: TSchema }>> = {
  'connection.state_changed': {
    summary: 'A connection has changed its state',
    data: open({
      ...changed,
      ...seen('con_5f8d2k4m6p7q9r1s3t5v0w2x', 'completed', 'response-sent'),
      invitationId: wordsOrNull('The invitation that was answered.', 'inv_a04c6e8g1j3m5p7r9t2v4x6z'),
    }),
  },
  'credential.state_changed': {
    summary: 'A credential exchange has changed its state',
    data: open({
      ...changed,
      connectionId,
      credentialDefinitionId: wordsOrNull('What is issued.', 'def_c20a4b6d8f1e3c5a7b9d0f2e4c'),
      errorMessage: wordsOrNull('Why the exchange was declined or abandoned.', null),
      biometric: faceCheck,
    }),
  },
  'proof.state_changed': {
    summary: 'A proof exchange has changed its state',
    data: open({
      ...changed,
      ...seen('pro_5f8d2k4m6p7q9r1s3t5v0w2z', 'done', 'presentation-received'),
      connectionId,
      proofTemplateId: wordsOrNull('What was asked for.', 'tpl_3b7d9f1h3k5m7p9r1t3v5x7z'),
      verified: Type.Union([Type.Boolean(), Type.Null()], {
        description: 'Whether the proof holds; null until the exchange is done.',
      }),
      disclosed: Type.Union([disclosed, Type.Null()], {
        description: 'What the holder disclosed, by group; null until the exchange is done.',
        examples: [{ person: { name: 'Ada Lovelace' } }],
      }),
    }),
  },
  'wallet.sync_requested': {
    summary: 'The mediator holds messages for a wallet: wake the app',
    data: open({
      walletId: words('The wallet whose app should be woken.', 'wal_9k2m4p6r8t1v3x5z7b9d1f3h'),
      externalId,
      ...place,
    }),
  },
  'record.erased': {
    summary: 'The personal data of a record was erased on request',
    data: open({
      recordType: Type.Unsafe<string>({
        type: 'string',
        enum: ['connection', 'credential', 'proof'],
        description: 'What kind of record it was.',
        examples: ['credential'],
      }),
      recordId: words('The record, which stays without its personal data.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
      erasedAt: moment('When it was erased.'),
      initiator: Type.Unsafe<string>({
        type: 'string',
        enum: ['api_key', 'tenant_member', 'operator'],
        description: 'On whose request.',
      }),
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
      const schema = recordOf(titleOf(type), {
        id: words(
          'The event, the same however often it comes: forget repetitions by it.',
          'evt_7q2w4e6r8t1y3u5i_4',
        ),
        type: Type.Literal(type, { description: 'What has happened.' }),
        createdAt: moment('When it happened.'),
        tenantId: words('The organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
        data,
      })
      return [type, { post: post(type, summary, schema) }]
    }),
  )

/** connection.state_changed → ConnectionStateChanged */
const titleOf = (type: EventType): string =>
  type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

const post = (type: EventType, summary: string, schema: TSchema): Json => ({
  operationId: `receive ${type}`.replaceAll(/[ ._]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  summary,
  description: `${summary}. Posted to the endpoint of the organisation; at least once, in no particular order.`,
  tags: ['Webhooks'],
  security: [],
  parameters: [signature],
  requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(schema) } } },
  responses: {
    '2XX': { description: 'Taken. Anything else, or nothing within 10 seconds, is tried again.' },
    '4XX': { description: 'Tried again.' },
  },
})
