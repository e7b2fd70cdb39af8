import { type TSchema, Type } from 'typebox'
import { moment, wordsOrNull, words } from '../http/route/fields.ts'
import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import { EVENT_TYPES, type EventType } from '../ports/publication.ts'
import { faceCheck } from './exchange-fields.ts'
import { tags } from './tags.ts'

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

const descriptions: Readonly<Record<EventType, Pick<PublishedEvent, 'summary' | 'data'>>> = {
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

/** Every event that organisations can hear of, as the description of the API shows it. */
export const publishedEvents: readonly PublishedEvent[] = EVENT_TYPES.map((type) => ({
  type,
  tag: tags.webhooks,
  ...descriptions[type],
}))
