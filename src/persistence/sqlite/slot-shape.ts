import type { JournalEntry, TimerRow } from '../../actors/journal-port.ts'

type TimerShape =
  | readonly [timerId: string, dueMs: number]
  | readonly [timerId: string, dueMs: number, actor: string]

/** How the events of a slot fall into entries, and their timers. A bare number is an entry of so many events without timers. */
export type EntryShape =
  | number
  | readonly [events: number, set: readonly TimerShape[], cleared: readonly TimerShape[]]

/** Null for the usual case of one event an entry and no timers: nothing to store, nothing to parse. */
export const shapeOf = (entries: readonly JournalEntry[]): string | null => {
  if (entries.every((entry) => hasNoTimers(entry) && entry.events.length === 1)) return null
  return JSON.stringify(
    entries.map((entry): EntryShape => {
      if (hasNoTimers(entry)) return entry.events.length
      const pack = (row: TimerRow): TimerShape =>
        row.actor === entry.actor ? [row.timerId, row.dueMs] : [row.timerId, row.dueMs, row.actor]
      return [entry.events.length, entry.timersSet.map(pack), entry.timersCleared.map(pack)]
    }),
  )
}

export const parseShape = (shape: string | null): readonly EntryShape[] | null =>
  shape === null ? null : (JSON.parse(shape) as EntryShape[])

export const eventCount = (shape: EntryShape): number => (typeof shape === 'number' ? shape : shape[0])

export const timersOf = (
  shape: EntryShape,
  actor: string,
): { readonly set: readonly TimerRow[]; readonly cleared: readonly TimerRow[] } => {
  if (typeof shape === 'number') return NO_TIMERS
  const unpack = ([timerId, dueMs, other]: TimerShape): TimerRow => ({
    actor: other ?? actor,
    timerId,
    dueMs,
  })
  return { set: shape[1].map(unpack), cleared: shape[2].map(unpack) }
}

const NO_TIMERS = { set: [], cleared: [] }

const hasNoTimers = (entry: JournalEntry): boolean =>
  entry.timersSet.length === 0 && entry.timersCleared.length === 0
