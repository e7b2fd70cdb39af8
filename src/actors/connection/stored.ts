import { Type } from 'typebox'
import {
  changeOf,
  exchangeTimes,
  oneOf,
  orNull,
  storedRecord,
  text,
  textOrNull,
  time,
} from '../stored-fields.ts'

const states = ['request-received', 'response-sent', 'completed', 'abandoned', 'closed'] as const
const change = changeOf(states)
const about = { change, tenant: text, invitationId: text, externalId: textOrNull }
const requested = {
  tenant: text,
  invitationId: text,
  externalId: textOrNull,
  threadId: text,
  theirLabel: textOrNull,
  theirDid: textOrNull,
  theirService: orNull(
    Type.Object({ endpoint: text, recipientKeys: Type.Array(text), routingKeys: Type.Array(text) }),
  ),
  ownSeed: textOrNull,
  ownKey: text,
}
const attempts = Type.Object({
  failed: time,
  early: time,
  failedAtMs: time,
  due: Type.Boolean(),
  nextAtMs: orNull(time),
})

export const connectionStored = storedRecord({
  personal: ['theirLabel', 'theirDid', 'theirService', 'ownSeed', 'errorMessage'],
  events: {
    ConnectionRequested: { ...requested, change },
    ConnectionResponseFailed: { nextAtMs: orNull(time) },
    ConnectionResponseDue: { early: Type.Boolean() },
    ConnectionResponseSent: about,
    ConnectionCompleted: about,
    ConnectionAbandoned: { ...about, errorMessage: textOrNull },
  },
  records: [{ status: oneOf(states), ...requested, ...exchangeTimes, attempts, errorMessage: textOrNull }],
})
