import { Type } from 'typebox'
import {
  bodyReference,
  oneOf,
  orNull,
  storedRecord,
  text,
  textOrNull,
  time,
} from '../stored-fields.ts'
import { ITEM_ERRORS } from './rules.ts'

const begun = {
  id: text,
  tenant: text,
  total: time,
  keys: bodyReference,
  waves: Type.Array(Type.Object({ number: time, indexes: Type.Array(time), body: bodyReference })),
}
const results = Type.Array(Type.Tuple([time, textOrNull, orNull(oneOf(ITEM_ERRORS))]))
const reasons = orNull(Type.Record(Type.String(), Type.String()))

/** A reason may name what the caller called an attribute. */
export const offerJobStored = storedRecord({
  personal: ['reasons'],
  events: {
    OfferJobBegun: begun,
    WaveOffered: { wave: time, results, reasons },
    OfferJobForgotten: {},
  },
  records: [
    {
      status: oneOf(['running', 'finished', 'forgotten']),
      ...begun,
      results,
      reasons,
      offered: time,
      refused: time,
      createdAtMs: time,
      updatedAtMs: time,
    },
  ],
})
