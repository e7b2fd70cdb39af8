import type { Timer } from '../../domain/decider.ts'
import type { JournalEntry, TimerRow } from '../../ports/journal.ts'

/**
 * `entry` is null when the command added no events or is a repetition. Either way the reply is built on everything
 * decided so far: it may leave only when the newest uncommitted entry of the actor is committed.
 */
export type Handled =
  | { readonly is: 'decided'; readonly reply: unknown; readonly entry: JournalEntry | null }
  /** The first events of a kind with personal fields: create the data key, set `seal`, handle the command again. */
  | { readonly is: 'needs-key' }

/** An uncommitted decision with what the actor was before. */
export type Decision = {
  readonly is: 'decided'
  readonly reply: unknown
  readonly entry: JournalEntry
  readonly stateBefore: unknown
  readonly timersBefore: readonly Timer[]
  readonly owedBefore: boolean
  readonly owedRowBefore: TimerRow | null
  readonly forgetRowBefore: TimerRow | null
}
