import { type Decider, refuse, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { type Ref, referencesTo } from '../../domain/references.ts'

const DAY_MS = 86_400_000

/** How often an organisation may write to the ledger in a day of UTC, and how often it has. */
export type LedgerCeiling = {
  /** Null until the operators set one. */
  readonly writesPerDay: number | null
  /** The day of the last write, counted from 1970. */
  readonly day: number
  readonly usedInDay: number
}

type Timed = { readonly atMs: number; readonly tenant: string }

export type LedgerCeilingCommand =
  | ({ readonly type: 'CountLedgerWrite' } & Timed)
  | ({ readonly type: 'SetLedgerCeiling'; readonly writesPerDay: number | null } & Timed)

export type LedgerCeilingEvent =
  | ({ readonly type: 'LedgerWriteCounted' } & Timed)
  | ({ readonly type: 'LedgerCeilingSet'; readonly writesPerDay: number | null } & Timed)

export type LedgerCeilingTypes = {
  readonly state: LedgerCeiling
  readonly command: LedgerCeilingCommand
  readonly event: LedgerCeilingEvent
  readonly reply: LedgerCeiling
  readonly views: { readonly record: LedgerCeiling }
  readonly owed: never
}

export const ledgerCeiling = referencesTo<LedgerCeilingTypes>('cei')

/** On the shard of its organisation, under the same name. */
export const ceilingOf = (tenant: string): Ref<LedgerCeilingTypes> =>
  ledgerCeiling.ref(`${ledgerCeiling.prefix}${tenant.slice(tenant.indexOf('_'))}`)

const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS)

export const writesPerDayOf = ({ writesPerDay }: LedgerCeiling): number =>
  writesPerDay ?? limits.ledgerWritesPerDayDefault

/** Of the day that it is then: the first write of the next day finds none. */
export const usedAt = ({ day, usedInDay }: LedgerCeiling, atMs: number): number =>
  dayOf(atMs) === day ? usedInDay : 0

export const ledgerCeilingDecider: Decider<LedgerCeilingTypes> = {
  initialState: { writesPerDay: null, day: 0, usedInDay: 0 },
  decide,
  evolve: (ceiling, event) => {
    if (event.type === 'LedgerCeilingSet') return { ...ceiling, writesPerDay: event.writesPerDay }
    return { ...ceiling, day: dayOf(event.atMs), usedInDay: usedAt(ceiling, event.atMs) + 1 }
  },
  reply: (ceiling) => ceiling,
  views: { record: (ceiling) => ceiling },
}

function decide(
  ceiling: LedgerCeiling,
  command: LedgerCeilingCommand,
): readonly LedgerCeilingEvent[] | Refused {
  const { tenant } = command
  if (command.type === 'SetLedgerCeiling') {
    const { writesPerDay, atMs } = command
    return writesPerDay === ceiling.writesPerDay
      ? []
      : [{ type: 'LedgerCeilingSet', atMs, tenant, writesPerDay }]
  }
  // Clocks of two nodes may differ about midnight: no day gets its writes twice.
  const atMs = Math.max(command.atMs, ceiling.day * DAY_MS)
  const max = writesPerDayOf(ceiling)
  return usedAt(ceiling, atMs) < max
    ? [{ type: 'LedgerWriteCounted', atMs, tenant }]
    : refuse(
        'ledger_ceiling_reached',
        `The organisation may write to the ledger ${max} times in a day (UTC), and has: try again tomorrow, or ask the operators for more.`,
      )
}
