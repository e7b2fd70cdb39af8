import { Type } from 'typebox'
import { messagePrefixes } from '../../domain/message-prefix.ts'
import {
  bodyReference,
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
const credential = orNull(bodyReference)
const prefix = oneOf(messagePrefixes)
const facts = { ...offered, ...exchangeTimes, prefix }
const over = { ...about, errorMessage: textOrNull, problem: textOrNull }

export const credentialStored = storedRecord({
  personal: ['attributes', 'errorMessage'],
  events: {
    CredentialOffered: { ...offered, change },
    CredentialOfferDelivered: {},
    CredentialRequested: { ...about, request: bodyReference, prefix },
    CredentialSigned: { credential: bodyReference },
    CredentialDelivered: about,
    CredentialAcknowledged: about,
    CredentialDeclined: { ...over, prefix },
    CredentialAbandoned: over,
    ...endEvents,
  },
  records: [
    { status: Type.Literal('offer-sent'), ...facts, delivered: Type.Boolean() },
    { status: Type.Literal('request-received'), ...facts, request: orNull(bodyReference), credential },
    { status: Type.Literal('credential-issued'), ...facts, credential },
    { status: oneOf(['done', 'declined', 'abandoned']), ...facts, errorMessage: textOrNull, lastWord },
  ],
})
