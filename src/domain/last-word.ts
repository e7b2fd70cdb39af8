import { impossibleEvent, type Timer } from './decider.ts'
import { LATER_ATTEMPTS_MS } from './exchange.ts'

/**
 * How an exchange ended, which its holder has yet to hear: an acknowledgement, or the problem that ended it. The wallet
 * may never write again, so it cannot ask.
 */
export type LastWord = {
  /** Null for an acknowledgement. */
  readonly problem: string | null
  /** When the next attempt is to be made; null where it is owed now. */
  readonly nextAtMs: number | null
}

type At = { readonly atMs: number }

export type LastWordCommand =
  /** What became of an attempt; `never` where the address is one that is not written to, or there is none any more. */
  | ({ readonly type: 'RecordLastWord'; readonly became: 'delivered' | 'failed' | 'never' } & At)
  | ({ readonly type: 'RetryLastWord' } & At)

export type LastWordEvent =
  | ({ readonly type: 'LastWordDelivered' } & At)
  /** `nextAtMs` is null where it is given up. */
  | ({ readonly type: 'LastWordFailed'; readonly nextAtMs: number | null } & At)
  | ({ readonly type: 'LastWordDue' } & At)

/** The exchange came to its end at `updatedAtMs`. */
type Over = { readonly lastWord: LastWord | null; readonly updatedAtMs: number }

export const LAST_WORD_TIMER = 'last-word'

export const owedAck: LastWord = { problem: null, nextAtMs: null }

/** Nothing where the holder knows the problem already. */
export const owedProblem = (problem: string | null): LastWord | null =>
  problem === null ? null : { problem, nextAtMs: null }

export const isOwedNow = ({ lastWord }: Over): boolean => lastWord !== null && lastWord.nextAtMs === null

/** Null where nothing is owed, or the time has not come. */
export const lastWordEvent = (
  { lastWord, updatedAtMs }: Over,
  command: LastWordCommand,
): LastWordEvent | null => {
  if (lastWord === null) return null
  const { atMs } = command
  const { nextAtMs } = lastWord
  if (command.type === 'RetryLastWord')
    return nextAtMs !== null && atMs >= nextAtMs ? { type: 'LastWordDue', atMs } : null
  if (command.became === 'delivered') return { type: 'LastWordDelivered', atMs }
  if (nextAtMs !== null) return null
  // Counted from the end of the exchange.
  const later = LATER_ATTEMPTS_MS.find((laterMs) => updatedAtMs + laterMs > atMs)
  const isLast = command.became === 'never' || later === undefined
  return { type: 'LastWordFailed', atMs, nextAtMs: isLast ? null : updatedAtMs + later }
}

/** That the holder has heard the last word; where this is not noted, the holder hears the last word once more. */
export const isLastWordNote = (outcome: { readonly type: string; readonly became?: unknown }): boolean =>
  outcome.type === 'RecordLastWord' && outcome.became === 'delivered'

export const lastWordAfter = (
  { lastWord, status }: Over & { readonly status: string },
  event: LastWordEvent,
): LastWord | null => {
  if (lastWord === null) throw impossibleEvent(event, status)
  if (event.type === 'LastWordDelivered') return null
  if (event.type === 'LastWordDue') return { ...lastWord, nextAtMs: null }
  return event.nextAtMs === null ? null : { ...lastWord, nextAtMs: event.nextAtMs }
}

export const lastWordTimer = ({ lastWord }: Over): readonly Timer[] =>
  lastWord === null || lastWord.nextAtMs === null ? [] : [{ id: LAST_WORD_TIMER, dueMs: lastWord.nextAtMs }]
