import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { event, text, time } from '../stored-fields.ts'
import { offerItemRate, offerItemRateDecider, type OfferItemRateTypes } from './rules.ts'

/** An actor for each organisation that has sent many offers at once; it takes part in the batch that begins their job. */
export const offerItemRateKind = defineKind<OfferItemRateTypes>({
  references: offerItemRate,
  decider: offerItemRateDecider,
  events: eventCodec({
    OfferItemsTaken: { version: 1, schema: event('OfferItemsTaken', { tenant: text, items: time }) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Object({ taken: Type.Array(Type.Object({ atMs: time, items: time })) }),
  }),
  foldsWhileAlive: true,
  // The window is one for all nodes, whose clocks differ.
  dated: (command, nowMs) => ({ ...command, atMs: nowMs }),
})
