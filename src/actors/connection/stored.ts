import { Type } from 'typebox'
import type { ConnectionEvent, ConnectionState } from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { changeOf, event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

const states = ['request-received', 'response-sent', 'completed', 'abandoned', 'closed'] as const
const change = changeOf(states)
const theirService = orNull(
  Type.Object({ endpoint: text, recipientKeys: Type.Array(text), routingKeys: Type.Array(text) }),
)
const about = { change, tenant: text, invitationId: text, externalId: textOrNull }
const requested = {
  tenant: text,
  invitationId: text,
  externalId: textOrNull,
  threadId: text,
  theirLabel: textOrNull,
  theirDid: textOrNull,
  theirService,
  ownSeed: textOrNull,
  ownKey: text,
}
const personal = ['theirLabel', 'theirDid', 'theirService', 'ownSeed'] as const

export const connectionEvents: Codec<ConnectionEvent> = eventCodec({
  ConnectionRequested: {
    version: 1,
    schema: event('ConnectionRequested', { ...requested, change }),
    personal: [...personal],
  },
  ConnectionResponseSent: { version: 1, schema: event('ConnectionResponseSent', about) },
  ConnectionCompleted: { version: 1, schema: event('ConnectionCompleted', about) },
  ConnectionAbandoned: {
    version: 1,
    schema: event('ConnectionAbandoned', { ...about, errorMessage: textOrNull }),
    personal: ['errorMessage'],
  },
})

export const connectionSnapshots: Codec<ConnectionState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({
      status: oneOf(states),
      ...requested,
      createdAtMs: time,
      updatedAtMs: time,
      waitingSinceMs: time,
      sequence: Type.Integer(),
      errorMessage: textOrNull,
    }),
  ]),
  personal: [...personal, 'errorMessage'],
})
