import { Type } from 'typebox'
import { bodyReference, oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { ITEM_ERRORS } from './rules.ts'

const opened = { id: text, tenant: text, total: time }
const wave = { number: time, indexes: Type.Array(time), body: bodyReference }
const keptItems = { keys: bodyReference, waves: Type.Array(Type.Object(wave)) }
const items = {
  keys: bodyReference,
  waves: Type.Array(Type.Object({ ...wave, isSetAside: Type.Boolean(), restBody: Type.Optional(text) })),
}
const unclaimed = Type.Array(time)
const rest = Type.Object({ indexes: wave.indexes, body: bodyReference })
const results = Type.Array(Type.Tuple([time, textOrNull, orNull(oneOf(ITEM_ERRORS))]))
const known = {
  ...opened,
  results,
  sealedReasons: Type.Array(text),
  offered: time,
  createdAtMs: time,
  updatedAtMs: time,
}

/** Without personal fields: what the items say, their keys and the reasons are ciphertext before they come here. */
export const offerJobStored = storedRecord({
  events: {
    OfferJobOpened: opened,
    OfferJobBegun: keptItems,
    KeysClaimed: { unclaimed },
    RestNamed: { wave: time, restBody: text },
    WaveOffered: { wave: time, results, sealedReasons: textOrNull, rest: Type.Optional(rest) },
    OfferJobForgotten: {},
  },
  records: [
    { status: oneOf(['receiving', 'forgotten']), ...known },
    { status: oneOf(['running', 'finished']), ...known, ...items, unclaimed: Type.Optional(unclaimed) },
  ],
})
