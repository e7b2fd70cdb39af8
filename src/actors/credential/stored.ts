import { Type } from 'typebox'
import { messagePrefixes } from '../../domain/message-prefix.ts'
import { walletFormats } from '../../domain/wallet-formats.ts'
import {
  bodyReference,
  changeOf,
  checkToEnd,
  checkToTell,
  endEvents,
  exchangeTimes,
  faceChecked,
  failure,
  lastWord,
  oneOf,
  opening,
  orNull,
  storedRecord,
  text,
  textOrNull,
  time,
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
  ...faceChecked,
}
const about = {
  change,
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  credentialDefinitionId: text,
  ...faceChecked,
}
const credential = orNull(bodyReference)
const prefix = oneOf(messagePrefixes)
const format = oneOf(walletFormats)
const openedTwice = Type.Optional(Type.Boolean())
const facts = { ...offered, ...exchangeTimes, prefix }
const over = { ...about, errorMessage: textOrNull, problem: textOrNull, failure }

export const credentialStored = storedRecord({
  personal: ['attributes', 'errorMessage', 'faceResult'],
  events: {
    CredentialOffered: { ...offered, change },
    CredentialOfferDelivered: { otherAtMs: orNull(time) },
    CredentialOfferUnread: {},
    CredentialRequested: { ...about, request: bodyReference, format, prefix },
    CredentialSigned: { credential: bodyReference },
    CredentialFaceChecked: about,
    CredentialDelivered: about,
    CredentialAcknowledged: about,
    CredentialDeclined: { ...over, prefix },
    CredentialAbandoned: over,
    ...endEvents,
  },
  later: {
    CredentialOfferDelivered: { version: 2, upcasts: { 1: (old) => ({ ...old, otherAtMs: null }) } },
    CredentialRequested: { version: 2, upcasts: { 1: (old) => ({ ...old, format: 'anoncreds' }) } },
  },
  records: [
    { status: Type.Literal('offer-sent'), ...facts, ...opening },
    {
      status: Type.Literal('request-received'),
      ...facts,
      request: orNull(bodyReference),
      format: Type.Optional(format),
      openedTwice,
      credential,
      checkToTell,
    },
    { status: Type.Literal('credential-issued'), ...facts, openedTwice, credential },
    {
      status: oneOf(['done', 'declined', 'abandoned']),
      ...facts,
      errorMessage: textOrNull,
      lastWord,
      checkToEnd,
    },
  ],
})
