import type { Timer } from '../../domain/decider.ts'
import type { TimerRow } from '../../ports/journal.ts'

/** The wake-up of an actor that owes something: the process that takes its shard over finds it due and starts what is owed. */
export const OWED_TIMER = '$owed'

export type TimerChanges = { readonly set: readonly TimerRow[]; readonly cleared: readonly TimerRow[] }

const NO_ROWS: readonly TimerRow[] = []
const NO_CHANGES: TimerChanges = { set: NO_ROWS, cleared: NO_ROWS }

/** Rows to write and rows that became stale when a state's timers changed. */
export const timerChanges = (
  actor: string,
  before: readonly Timer[],
  after: readonly Timer[],
): TimerChanges => {
  if (before.length === 0 && after.length === 0) return NO_CHANGES
  return { set: missingIn(before, after, actor), cleared: missingIn(after, before, actor) }
}

const missingIn = (
  others: readonly Timer[],
  timers: readonly Timer[],
  actor: string,
): readonly TimerRow[] => {
  const missing = timers.filter((timer) => !asks(others, timer.id, timer.dueMs))
  return missing.length === 0 ? NO_ROWS : missing.map(({ id, dueMs }) => ({ actor, timerId: id, dueMs }))
}

export const asks = (timers: readonly Timer[], timerId: string, dueMs: number): boolean =>
  timers.some((timer) => timer.id === timerId && timer.dueMs === dueMs)

export const sameRow = (one: TimerRow, other: TimerRow): boolean =>
  one.dueMs === other.dueMs && one.actor === other.actor && one.timerId === other.timerId
