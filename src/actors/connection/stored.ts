import { Type } from 'typebox'
import { erasers } from '../../domain/exchange.ts'
import { handshakeProtocols } from '../../domain/handshake-protocols.ts'
import { messagePrefixes } from '../../domain/message-prefix.ts'
import {
  changeOf,
  erasureEvents,
  exchangeTimes,
  failure,
  oneOf,
  orNull,
  storedRecord,
  text,
  textOrNull,
  time,
} from '../stored-fields.ts'
import { walletFormats } from '../../domain/wallet-formats.ts'
import { EXCHANGE_LISTS, HOLDER } from './closing.ts'

const states = ['request-received', 'response-sent', 'completed', 'abandoned', 'closed'] as const
const change = changeOf(states)
const about = { change, tenant: text, invitationId: text, externalId: textOrNull }
const service = Type.Object({
  endpoint: text,
  recipientKeys: Type.Array(text),
  routingKeys: Type.Array(text),
})
const theirService = orNull(service)
const former = orNull(Type.Object({ service, untilMs: time }))
const formats = Type.Array(oneOf(walletFormats))
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
  protocol: oneOf(handshakeProtocols),
  prefix: oneOf(messagePrefixes),
}
const page = Type.Object({ list: oneOf(EXCHANGE_LISTS), page: Type.Integer() })
const walk = Type.Object({ at: page, left: orNull(page), nextAtMs: orNull(time) })
const closing = orNull(Type.Object({ by: oneOf([...erasers, HOLDER] as const), exchanges: orNull(walk) }))
const attempts = Type.Object({
  made: time,
  early: time,
  lastAtMs: time,
  due: Type.Boolean(),
  nextAtMs: orNull(time),
  again: oneOf(['planned', 'due', 'over', 'never'] as const),
})

export const connectionStored = storedRecord({
  personal: ['theirLabel', 'theirDid', 'theirService', 'former', 'ownSeed', 'errorMessage'],
  events: {
    ConnectionRequested: { ...requested, change },
    ConnectionResponseFailed: { nextAtMs: orNull(time) },
    ConnectionResponseDue: { early: Type.Boolean() },
    ConnectionResponseAsked: { nextAtMs: time },
    ConnectionResponseSent: about,
    ConnectionResponseRepeated: { again: oneOf(['over', 'never'] as const) },
    ConnectionCompleted: about,
    ConnectionAbandoned: {
      ...about,
      errorMessage: textOrNull,
      farewell: oneOf(['due', 'over', 'never'] as const),
      failure,
    },
    ConnectionClosed: { ...about, by: oneOf(erasers) },
    ConnectionHungUp: about,
    ConnectionDidRotated: { theirDid: textOrNull, theirService, former },
    ConnectionFormatsSeen: { formats },
    ConnectionReused: { invitationId: text },
    ConnectionExchangesErased: { isComplete: Type.Boolean(), isLast: Type.Boolean() },
    ConnectionExchangesDue: {},
    ...erasureEvents,
  },
  records: [
    {
      status: oneOf(states),
      ...requested,
      ...exchangeTimes,
      attempts,
      errorMessage: textOrNull,
      closing,
      formats: Type.Optional(formats),
      formatsAtMs: Type.Optional(time),
      former: Type.Optional(former),
      reusedFor: Type.Optional(Type.Array(text)),
    },
  ],
})
