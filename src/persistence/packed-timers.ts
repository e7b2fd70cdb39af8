import type { JournalEntry, TimerRow } from '../ports/journal.ts'

/** A timer row inside an entry of the log: the actor is left out where it is the entry's own. */
export type PackedTimer =
  | readonly [timerId: string, dueMs: number]
  | readonly [timerId: string, dueMs: number, actor: string]

export const packTimers = (rows: readonly TimerRow[], entryActor: string): readonly PackedTimer[] =>
  rows.map(({ actor, timerId, dueMs }) => (actor === entryActor ? [timerId, dueMs] : [timerId, dueMs, actor]))

export const unpackTimers = (packed: readonly PackedTimer[], entryActor: string): readonly TimerRow[] =>
  packed.map(([timerId, dueMs, actor = entryActor]) => ({ actor, timerId, dueMs }))

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
