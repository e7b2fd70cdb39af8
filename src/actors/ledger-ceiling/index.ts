import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { event, orNull, text, time } from '../stored-fields.ts'
import { ledgerCeilingRoutes } from './routes.ts'
import { ledgerCeiling, ledgerCeilingDecider, type LedgerCeilingTypes } from './rules.ts'

const writesPerDay = orNull(Type.Integer({ minimum: 0 }))

/** How often an organisation may write to the ledger in a day: an actor for each that wrote, or for which one was set. */
export const ledgerCeilingKind = defineKind<LedgerCeilingTypes>({
  references: ledgerCeiling,
  decider: ledgerCeilingDecider,
  events: eventCodec({
    LedgerWriteCounted: { version: 1, schema: event('LedgerWriteCounted', { tenant: text }) },
    LedgerCeilingSet: { version: 1, schema: event('LedgerCeilingSet', { tenant: text, writesPerDay }) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Object({ writesPerDay, day: time, usedInDay: time }),
  }),
  routes: ledgerCeilingRoutes,
})
