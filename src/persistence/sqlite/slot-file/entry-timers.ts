import type { JournalEntry, TimerRow } from '../../../ports/journal.ts'
import { type PackedTimer, packTimers, unpackTimers } from '../../packed-timers.ts'

export type EntryTimers = { readonly set: readonly TimerRow[]; readonly cleared: readonly TimerRow[] }

/** Empty for the usual entry, which has no timers: nothing to store, nothing to parse. */
export const timersText = ({ actor, timersSet, timersCleared }: JournalEntry): string =>
  timersSet.length === 0 && timersCleared.length === 0
    ? ''
    : JSON.stringify([packTimers(timersSet, actor), packTimers(timersCleared, actor)])

export const parseTimers = (text: string, actor: string): EntryTimers => {
  if (text === '') return NO_TIMERS
  const [set, cleared] = JSON.parse(text) as [readonly PackedTimer[], readonly PackedTimer[]]
  return { set: unpackTimers(set, actor), cleared: unpackTimers(cleared, actor) }
}

const NO_TIMERS: EntryTimers = { set: [], cleared: [] }
