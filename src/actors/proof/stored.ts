import { Type } from 'typebox'
import type { ProofEvent, ProofState } from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { changeOf, event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

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

export const proofEvents: Codec<ProofEvent> = eventCodec({
  ProofRequested: { version: 1, schema: event('ProofRequested', { ...asked, change }) },
  ProofRequestDelivered: { version: 1, schema: event('ProofRequestDelivered', {}) },
  PresentationReceived: {
    version: 1,
    schema: event('PresentationReceived', { ...about, presentation: textOrNull }),
    personal: ['presentation'],
  },
  ProofVerified: {
    version: 1,
    schema: event('ProofVerified', { ...about, verified: Type.Boolean(), disclosed }),
    personal: ['disclosed'],
  },
  ProofAckDelivered: { version: 1, schema: event('ProofAckDelivered', {}) },
  ProofDeclined: {
    version: 1,
    schema: event('ProofDeclined', { ...about, errorMessage: textOrNull }),
    personal: ['errorMessage'],
  },
  ProofAbandoned: {
    version: 1,
    schema: event('ProofAbandoned', { ...about, errorMessage: textOrNull, problem: textOrNull }),
    personal: ['errorMessage'],
  },
  ProofProblemDelivered: { version: 1, schema: event('ProofProblemDelivered', {}) },
})

const facts = {
  ...asked,
  createdAtMs: time,
  updatedAtMs: time,
  waitingSinceMs: time,
  sequence: Type.Integer(),
}

export const proofSnapshots: Codec<ProofState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({ status: Type.Literal('request-sent'), ...facts, delivered: Type.Boolean() }),
    Type.Object({ status: Type.Literal('presentation-received'), ...facts, presentation: textOrNull }),
    Type.Object({
      status: Type.Literal('done'),
      ...facts,
      verified: Type.Boolean(),
      disclosed,
      ackOwed: Type.Boolean(),
    }),
    Type.Object({
      status: oneOf(['declined', 'abandoned']),
      ...facts,
      errorMessage: textOrNull,
      problem: textOrNull,
    }),
  ]),
  personal: ['presentation', 'disclosed', 'errorMessage'],
})
