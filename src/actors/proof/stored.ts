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

const change = changeOf(['request-sent', 'presentation-received', 'done', 'declined', 'abandoned'])
const disclosed = orNull(Type.Record(Type.String(), Type.Record(Type.String(), Type.String())))
const about = { change, tenant: text, connectionId: text, externalId: textOrNull, proofTemplateId: text }
const asked = {
  tenant: text,
  connectionId: text,
  externalId: textOrNull,
  proofTemplateId: text,
  threadId: text,
  request: text,
}
const prefix = oneOf(messagePrefixes)
const facts = { ...asked, ...exchangeTimes, prefix }
const over = { ...about, errorMessage: textOrNull, problem: textOrNull }
const verification = { verified: Type.Boolean(), disclosed }

export const proofStored = storedRecord({
  personal: ['presentation', 'disclosed', 'errorMessage'],
  events: {
    ProofRequested: { ...asked, change },
    ProofRequestDelivered: {},
    PresentationReceived: { ...about, presentation: textOrNull, prefix },
    ProofVerified: { ...about, ...verification },
    ProofDeclined: { ...over, prefix },
    ProofAbandoned: over,
    ...endEvents,
  },
  records: [
    { status: Type.Literal('request-sent'), ...facts, delivered: Type.Boolean() },
    { status: Type.Literal('presentation-received'), ...facts, presentation: textOrNull },
    { status: Type.Literal('done'), ...facts, ...verification, lastWord },
    { status: oneOf(['declined', 'abandoned']), ...facts, errorMessage: textOrNull, lastWord },
  ],
})
