import type { TimerRow } from '../ports/journal.ts'

/** A timer row inside an entry of the log: the actor is left out where it is the entry's own. */
export type PackedTimer =
  | readonly [timerId: string, dueMs: number]
  | readonly [timerId: string, dueMs: number, actor: string]

export const packTimers = (rows: readonly TimerRow[], entryActor: string): readonly PackedTimer[] =>
  rows.map(({ actor, timerId, dueMs }) => (actor === entryActor ? [timerId, dueMs] : [timerId, dueMs, actor]))

export const unpackTimers = (packed: readonly PackedTimer[], entryActor: string): readonly TimerRow[] =>
  packed.map(([timerId, dueMs, actor = entryActor]) => ({ actor, timerId, dueMs }))
