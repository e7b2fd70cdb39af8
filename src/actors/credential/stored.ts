import { Type } from 'typebox'
import { messagePrefixes } from '../../domain/message-prefix.ts'
import {
  changeOf,
  endEvents,
  exchangeTimes,
  lastWord,
  oneOf,
  orNull,
  storedRecord,
  text,
  textOrNull,
} from '../stored-fields.ts'

const change = changeOf([
  'offer-sent',
  'request-received',
  'credential-issued',
  'done',
  'declined',
  'abandoned',
])
const offered = {
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  definition: Type.Object({ catalogueId: text, ledgerId: text }),
  threadId: text,
  nonce: text,
  attributes: orNull(Type.Record(Type.String(), Type.String())),
}
const about = {
  change,
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  credentialDefinitionId: text,
}
const prefix = oneOf(messagePrefixes)
const facts = { ...offered, ...exchangeTimes, prefix }
const over = { ...about, errorMessage: textOrNull, problem: textOrNull }

export const credentialStored = storedRecord({
  personal: ['attributes', 'request', 'credential', 'errorMessage'],
  events: {
    CredentialOffered: { ...offered, change },
    CredentialOfferDelivered: {},
    CredentialRequested: { ...about, request: textOrNull, prefix },
    CredentialSigned: { credential: textOrNull },
    CredentialDelivered: about,
    CredentialAcknowledged: about,
    CredentialDeclined: { ...over, prefix },
    CredentialAbandoned: over,
    ...endEvents,
  },
  records: [
    { status: Type.Literal('offer-sent'), ...facts, delivered: Type.Boolean() },
    { status: Type.Literal('request-received'), ...facts, request: textOrNull, credential: textOrNull },
    { status: Type.Literal('credential-issued'), ...facts },
    { status: oneOf(['done', 'declined', 'abandoned']), ...facts, errorMessage: textOrNull, lastWord },
  ],
})
