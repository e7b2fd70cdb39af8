import { Type } from 'typebox'
import { changeOf, exchangeTimes, oneOf, orNull, storedRecord, text, textOrNull } from '../stored-fields.ts'

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
const facts = { ...asked, ...exchangeTimes }
const verification = { verified: Type.Boolean(), disclosed }

export const proofStored = storedRecord({
  personal: ['presentation', 'disclosed', 'errorMessage'],
  events: {
    ProofRequested: { ...asked, change },
    ProofRequestDelivered: {},
    PresentationReceived: { ...about, presentation: textOrNull },
    ProofVerified: { ...about, ...verification },
    ProofAckDelivered: {},
    ProofDeclined: { ...about, errorMessage: textOrNull },
    ProofAbandoned: { ...about, errorMessage: textOrNull, problem: textOrNull },
    ProofProblemDelivered: {},
  },
  records: [
    { status: Type.Literal('request-sent'), ...facts, delivered: Type.Boolean() },
    { status: Type.Literal('presentation-received'), ...facts, presentation: textOrNull },
    { status: Type.Literal('done'), ...facts, ...verification, ackOwed: Type.Boolean() },
    { status: oneOf(['declined', 'abandoned']), ...facts, errorMessage: textOrNull, problem: textOrNull },
  ],
})
