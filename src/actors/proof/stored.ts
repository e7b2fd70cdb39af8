import { Type } from 'typebox'
import { messagePrefixes } from '../../domain/message-prefix.ts'
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

const change = changeOf(['request-sent', 'presentation-received', 'done', 'declined', 'abandoned'])
const disclosed = orNull(Type.Record(Type.String(), Type.Record(Type.String(), Type.String())))
const about = {
  change,
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  proofTemplateId: text,
  ...faceChecked,
}
const wanted = {
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  proofTemplateId: text,
  threadId: text,
  ...faceChecked,
}
const asked = { ...wanted, request: text }
const prefix = oneOf(messagePrefixes)
const facts = { ...wanted, ...exchangeTimes, prefix }
const over = { ...about, errorMessage: textOrNull, problem: textOrNull, failure }
const verification = { verified: Type.Boolean(), disclosed }

export const proofStored = storedRecord({
  personal: ['disclosed', 'errorMessage', 'faceResult'],
  events: {
    ProofRequested: { ...asked, change },
    ProofRequestDelivered: { otherAtMs: orNull(time) },
    ProofRequestUnread: {},
    PresentationReceived: { ...about, presentation: bodyReference, prefix },
    ProofHeld: { result: bodyReference },
    ProofFaceChecked: about,
    ProofVerified: { ...about, ...verification },
    ProofDeclined: { ...over, prefix },
    ProofAbandoned: over,
    ...endEvents,
  },
  later: {
    ProofRequestDelivered: { version: 2, upcasts: { 1: (old) => ({ ...old, otherAtMs: null }) } },
  },
  records: [
    { status: Type.Literal('request-sent'), ...facts, request: text, ...opening },
    {
      status: Type.Literal('presentation-received'),
      ...facts,
      request: text,
      presentation: orNull(bodyReference),
      result: Type.Optional(orNull(bodyReference)),
      checkToTell,
    },
    { status: Type.Literal('done'), ...facts, ...verification, lastWord },
    {
      status: oneOf(['declined', 'abandoned']),
      ...facts,
      errorMessage: textOrNull,
      lastWord,
      checkToEnd,
    },
  ],
})
