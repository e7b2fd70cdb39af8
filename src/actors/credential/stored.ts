import { Type } from 'typebox'
import type { CredentialEvent, CredentialState } from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { changeOf, event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

const change = changeOf([
  'offer-sent',
  'request-received',
  'credential-issued',
  'done',
  'declined',
  'abandoned',
])
const definition = Type.Object({ catalogueId: text, ledgerId: text })
const attributes = orNull(Type.Record(Type.String(), Type.String()))
const about = {
  change,
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  credentialDefinitionId: text,
}
const offered = {
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  definition,
  threadId: text,
  nonce: text,
  attributes,
}

export const credentialEvents: Codec<CredentialEvent> = eventCodec({
  CredentialOffered: {
    version: 1,
    schema: event('CredentialOffered', { ...offered, change }),
    personal: ['attributes'],
  },
  CredentialOfferDelivered: { version: 1, schema: event('CredentialOfferDelivered', {}) },
  CredentialRequested: {
    version: 1,
    schema: event('CredentialRequested', { ...about, request: textOrNull }),
    personal: ['request'],
  },
  CredentialSigned: {
    version: 1,
    schema: event('CredentialSigned', { credential: textOrNull }),
    personal: ['credential'],
  },
  CredentialDelivered: { version: 1, schema: event('CredentialDelivered', about) },
  CredentialAcknowledged: { version: 1, schema: event('CredentialAcknowledged', about) },
  CredentialDeclined: {
    version: 1,
    schema: event('CredentialDeclined', { ...about, errorMessage: textOrNull }),
    personal: ['errorMessage'],
  },
  CredentialAbandoned: {
    version: 1,
    schema: event('CredentialAbandoned', { ...about, errorMessage: textOrNull, problem: textOrNull }),
    personal: ['errorMessage'],
  },
  CredentialProblemDelivered: { version: 1, schema: event('CredentialProblemDelivered', {}) },
})

const facts = {
  ...offered,
  createdAtMs: time,
  updatedAtMs: time,
  waitingSinceMs: time,
  sequence: Type.Integer(),
}

export const credentialSnapshots: Codec<CredentialState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({ status: Type.Literal('offer-sent'), ...facts, delivered: Type.Boolean() }),
    Type.Object({
      status: Type.Literal('request-received'),
      ...facts,
      request: textOrNull,
      credential: textOrNull,
    }),
    Type.Object({ status: Type.Literal('credential-issued'), ...facts }),
    Type.Object({
      status: oneOf(['done', 'declined', 'abandoned']),
      ...facts,
      errorMessage: textOrNull,
      problem: textOrNull,
    }),
  ]),
  personal: ['attributes', 'request', 'credential', 'errorMessage'],
})
