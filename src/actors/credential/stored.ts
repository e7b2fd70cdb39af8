import { Type } from 'typebox'
import { changeOf, exchangeTimes, oneOf, orNull, storedRecord, text, textOrNull } from '../stored-fields.ts'

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
const facts = { ...offered, ...exchangeTimes }

export const credentialStored = storedRecord({
  personal: ['attributes', 'request', 'credential', 'errorMessage'],
  events: {
    CredentialOffered: { ...offered, change },
    CredentialOfferDelivered: {},
    CredentialRequested: { ...about, request: textOrNull },
    CredentialSigned: { credential: textOrNull },
    CredentialDelivered: about,
    CredentialAcknowledged: about,
    CredentialDeclined: { ...about, errorMessage: textOrNull },
    CredentialAbandoned: { ...about, errorMessage: textOrNull, problem: textOrNull },
    CredentialProblemDelivered: {},
  },
  records: [
    { status: Type.Literal('offer-sent'), ...facts, delivered: Type.Boolean() },
    { status: Type.Literal('request-received'), ...facts, request: textOrNull, credential: textOrNull },
    { status: Type.Literal('credential-issued'), ...facts },
    {
      status: oneOf(['done', 'declined', 'abandoned']),
      ...facts,
      errorMessage: textOrNull,
      problem: textOrNull,
    },
  ],
})
