import type { JournalEntry, TimerRow } from '../../../ports/journal.ts'

type TimerShape =
  | readonly [timerId: string, dueMs: number]
  | readonly [timerId: string, dueMs: number, actor: string]

export type EntryTimers = { readonly set: readonly TimerRow[]; readonly cleared: readonly TimerRow[] }

/** Empty for the usual entry, which has none: nothing to store, nothing to parse. */
export const timersText = ({ actor, timersSet, timersCleared }: JournalEntry): string => {
  if (timersSet.length === 0 && timersCleared.length === 0) return ''
  const pack = (row: TimerRow): TimerShape =>
    row.actor === actor ? [row.timerId, row.dueMs] : [row.timerId, row.dueMs, row.actor]
  return JSON.stringify([timersSet.map(pack), timersCleared.map(pack)])
}

export const parseTimers = (text: string, actor: string): EntryTimers => {
  if (text === '') return NO_TIMERS
  const [set, cleared] = JSON.parse(text) as [readonly TimerShape[], readonly TimerShape[]]
  const unpack = ([timerId, dueMs, other]: TimerShape): TimerRow => ({
    actor: other ?? actor,
    timerId,
    dueMs,
  })
  return { set: set.map(unpack), cleared: cleared.map(unpack) }
}

const NO_TIMERS: EntryTimers = { set: [], cleared: [] }
