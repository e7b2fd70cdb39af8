import type { TimerRow } from '../../ports/journal.ts'
import { FORGET_TIMER, OWED_TIMER, type TimerChanges } from '../timers/shard-timers.ts'
import { type Forgettable, forgetAtMs } from './forget-time.ts'

/** Whose rows they are, and those that are known. */
type Holder = Forgettable & { owedRow: TimerRow | null; forgetRow: TimerRow | null }

/** What a decision means for what is owed, an erasure and the deletion of bodies included. */
type Owing = { readonly owedBefore: boolean; readonly begins: boolean; readonly ends: boolean }

const NO_ROWS: readonly TimerRow[] = []

/** The rows of the host's own that a decision sets and clears: of what is owed, and of what may be forgotten. */
export const hostRowChanges = (holder: Holder, owing: Owing, nowMs: number): TimerChanges => {
  const owedSet = setOwed(holder, owing, nowMs)
  const cleared = owedSet === null ? clearOwed(holder, owing) : null
  const forgetSet = setForget(holder, nowMs)
  return { set: listOf(owedSet, forgetSet), cleared: listOf(cleared, null) }
}

/** A recovered actor that owes something has a row that is not known here, so only the beginning of owing needs a new one. */
const setOwed = (holder: Holder, { owedBefore, begins }: Owing, nowMs: number): TimerRow | null => {
  if (owedBefore || holder.owedRow !== null || !begins) return null
  holder.owedRow = { actor: holder.actor, timerId: OWED_TIMER, dueMs: nowMs }
  return holder.owedRow
}

const clearOwed = (holder: Holder, { ends }: Owing): TimerRow | null => {
  if (!ends) return null
  const row = holder.owedRow
  holder.owedRow = null
  return row
}

/** One row is enough, however often the record changes until then: it is looked at again when its time has come. */
const setForget = (holder: Holder, nowMs: number): TimerRow | null => {
  if (holder.forgetRow !== null) return null
  const dueMs = forgetAtMs(holder, nowMs)
  if (dueMs === null) return null
  holder.forgetRow = { actor: holder.actor, timerId: FORGET_TIMER, dueMs }
  return holder.forgetRow
}

const listOf = (one: TimerRow | null, other: TimerRow | null): readonly TimerRow[] => {
  if (one === null) return other === null ? NO_ROWS : [other]
  return other === null ? [one] : [one, other]
}
