import { type Static, Type } from 'typebox'
import { recordOf, words } from '../../http/route/fields.ts'
import { type LedgerCeiling, usedAt, writesPerDayOf } from './rules.ts'

export const ledgerCeilingSchema = recordOf('LedgerCeiling', {
  organisationId: words('The organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
  writesPerDay: Type.Integer({
    minimum: 0,
    description: 'How often it may write to the ledger in a day of UTC.',
    examples: [100],
  }),
  usedToday: Type.Integer({
    minimum: 0,
    description: 'How often it has today: each schema and definition that is ordered, and each retry.',
    examples: [3],
  }),
})

export const ledgerCeilingView = (
  organisationId: string,
  ceiling: LedgerCeiling,
  nowMs: number,
): Static<typeof ledgerCeilingSchema> => ({
  organisationId,
  writesPerDay: writesPerDayOf(ceiling),
  usedToday: usedAt(ceiling, nowMs),
})
