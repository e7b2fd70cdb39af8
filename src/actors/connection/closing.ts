import { impossibleEvent, type Timer } from '../../domain/decider.ts'
import { isErased } from '../../domain/erasure.ts'
import type { AnswerAttempts } from './answer-attempts.ts'
import type { Eraser } from '../../domain/exchange.ts'

/** The lists that a connection's exchanges stand in, in the order in which they are erased. */
export const EXCHANGE_LISTS = ['credential', 'proof'] as const
export type ExchangePage = { readonly list: (typeof EXCHANGE_LISTS)[number]; readonly page: number }

/**
 * How far the end of a connection is. Of one whose wallet has hung up, what still runs is ended, page after page of the
 * lists of its exchanges; nothing is erased. By its erasure it closes, its holder hears so as long as its keys are there, and it is
 * erased; from then on it owes the erasure of its exchanges, page after page of their lists, so that nothing in it grows
 * with their number.
 */
export type Closing = {
  readonly by: ClosedBy
  /** Null when all exchanges are erased, or ended. */
  readonly exchanges: ExchangeWalk | null
}

export const HOLDER = 'holder'
type ClosedBy = Eraser | typeof HOLDER

export type ExchangeWalk = {
  readonly at: ExchangePage
  /** The first page of this round with an exchange that cannot be read, and so not be erased. */
  readonly left: ExchangePage | null
  /** When the next round begins; null while one is under way. */
  readonly nextAtMs: number | null
}

type At = { readonly atMs: number }

export type WalkCommand =
  /**
   * A page was gone through, for whom it was owed. `isComplete`: all exchanges on it are erased, or ended. `isLast`: its
   * list has no further page.
   */
  {
    readonly type: 'RecordExchangesErased'
    readonly by: ClosedBy
    readonly at: ExchangePage
    readonly isComplete: boolean
    readonly isLast: boolean
  } & At

export type WalkEvent =
  | ({
      readonly type: 'ConnectionExchangesErased'
      readonly isComplete: boolean
      readonly isLast: boolean
    } & At)
  | ({ readonly type: 'ConnectionExchangesDue' } & At)

type Closed = {
  readonly closing: Closing | null
  readonly erasedAtMs: number | null
  readonly updatedAtMs: number
}

const MINUTE_MS = 60_000
/** An erasure that was cut off after the connection was closed is finished then; its holder had its one attempt. */
const FINISHED_AFTER_MS = 10_000
/** What cannot be read is seldom mended sooner. */
const ROUND_PAUSE_MS = 60 * MINUTE_MS

export const closingBy = (by: ClosedBy): Closing => ({
  by,
  exchanges: { at: { list: EXCHANGE_LISTS[0], page: 1 }, left: null, nextAtMs: null },
})

/** Of one whose wallet has hung up, the exchanges that were ended are gone through once more. */
export const erasing = ({ closing }: Pick<Closed, 'closing'>, by: Eraser): Closing | null =>
  closing?.by === HOLDER ? closingBy(by) : closing

/** The page that is owed now. */
export const owedPage = ({ closing, erasedAtMs }: Closed): ExchangePage | null => {
  const isBegun = erasedAtMs !== null || closing?.by === HOLDER
  return !isBegun || closing?.exchanges?.nextAtMs !== null ? null : closing.exchanges.at
}

/** The outcome of a page that is not the one that is owed changes nothing. */
export const pageErased = (
  state: Closed,
  { by, at, atMs, isComplete, isLast }: WalkCommand,
): WalkEvent | null => {
  const owed = owedPage(state)
  const isOwed = state.closing?.by === by && owed?.list === at.list && owed.page === at.page
  return isOwed ? { type: 'ConnectionExchangesErased', atMs, isComplete, isLast } : null
}

export const closingAfter = (
  { closing, status }: Closed & { readonly status: string },
  event: WalkEvent,
): Closing => {
  const walk = closing?.exchanges
  if (!walk) throw impossibleEvent(event, status)
  return { ...closing, exchanges: walkAfter(walk, event) }
}

const walkAfter = (walk: ExchangeWalk, event: WalkEvent): ExchangeWalk | null => {
  if (event.type === 'ConnectionExchangesDue') return { ...walk, nextAtMs: null }
  const { at } = walk
  const left = walk.left ?? (event.isComplete ? null : at)
  const next = event.isLast ? firstPageAfter(at) : { ...at, page: at.page + 1 }
  if (next !== null) return { at: next, left, nextAtMs: null }
  return left === null ? null : { at: left, left: null, nextAtMs: event.atMs + ROUND_PAUSE_MS }
}

const firstPageAfter = ({ list }: ExchangePage): ExchangePage | null => {
  const next = EXCHANGE_LISTS[EXCHANGE_LISTS.indexOf(list) + 1]
  return next === undefined ? null : { list: next, page: 1 }
}

type MayBeOver = { readonly status: string } & Partial<Closed & { readonly attempts: AnswerAttempts }>

/** Its handshake failed and its wallet is not about to hear so, or it is erased and so are all its exchanges. */
export const isConnectionOver = (state: MayBeOver): boolean =>
  state.status === 'abandoned'
    ? state.attempts?.again !== 'planned'
    : isErased(state) && state.closing?.exchanges === null

export const CLOSING_TIMER = 'closing'

/** When a closed connection goes on by itself. */
export const closingTimer = ({ closing, erasedAtMs, updatedAtMs }: Closed): readonly Timer[] => {
  if (closing === null) return []
  const isCutOff = erasedAtMs === null && closing.by !== HOLDER
  const dueMs = isCutOff ? updatedAtMs + FINISHED_AFTER_MS : (closing.exchanges?.nextAtMs ?? null)
  return dueMs === null ? [] : [{ id: CLOSING_TIMER, dueMs }]
}
