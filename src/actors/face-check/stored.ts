import { Type } from 'typebox'
import { faceCheckStatuses, faceVendorNames } from '../../domain/face-check.ts'
import { bodyReference, oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'

const count = Type.Integer({ minimum: 0 })
const facts = {
  tenant: text,
  connectionId: text,
  exchangeId: text,
  vendor: oneOf(faceVendorNames),
  account: Type.Object({
    settings: Type.Record(Type.String(), Type.String()),
    sealedCredentials: textOrNull,
  }),
  image: Type.Object({
    format: oneOf(['jpeg', 'png']),
    width: count,
    height: count,
    pieces: Type.Array(bodyReference),
  }),
  livenessMin: Type.Number(),
  matchMin: Type.Number(),
  attemptsMax: count,
  expiresAtMs: time,
  sessionSeconds: Type.Object({ least: count, most: count }),
}
const left = { sessionId: text, sinceMs: time }
const begun = { sessionId: text, usableUntilMs: time, deadAtMs: time }
const session = Type.Object({
  number: count,
  sinceMs: time,
  begun: orNull(Type.Object(begun)),
  isAskedFor: Type.Boolean(),
  toldAtMs: time,
  isDue: Type.Boolean(),
})
const attempts = { attempts: count, attemptsRemaining: count }

/** Scores and reasons are nowhere in it: they stand in the exchange, which can be erased. */
export const faceCheckStored = storedRecord({
  events: {
    FaceCheckBegun: facts,
    SessionWanted: { number: count },
    NextSessionWanted: {},
    SessionBegun: { number: count, ...begun },
    SessionAskedFor: {},
    SessionTold: {},
    SessionDue: {},
    SessionLapsed: {},
    SessionsUsedUp: {},
    SessionLeft: left,
    AttemptsCounted: { ...attempts, status: oneOf(['pending', 'passed', 'failed']) },
    WordDelivered: {},
    SessionGone: { sessionId: text },
    SessionsForgotten: {},
    WalletGaveUp: {},
    ExchangeEnded: {},
    FaceCheckClosed: { status: oneOf(['expired', 'cancelled']) },
  },
  records: [
    {
      ...facts,
      ...attempts,
      status: oneOf(faceCheckStatuses),
      createdAtMs: time,
      decidedAtMs: orNull(time),
      sessionIds: Type.Array(text),
      number: count,
      session: orNull(session),
      wantsNext: Type.Boolean(),
      word: orNull(oneOf(['again', 'over'])),
      words: count,
      left: Type.Array(Type.Object(left)),
      exchangeToEnd: Type.Boolean(),
    },
  ],
})
