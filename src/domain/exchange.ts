import { limits } from './limits.ts'

/** How long an exchange waits for its holder; every step of the holder starts the wait anew. */
export const HOLDER_WAIT_MS = limits.abandonmentHours * 3_600_000

/** The timer of that wait, in every kind of exchange. */
export const ABANDON_TIMER = 'abandon'

/**
 * What an event that moves a record tells the outside, complete in itself: the webhook is made from it without a
 * look at the record. `sequence` counts a record's visible changes: 1, 2, 3 …
 */
export type Change<State extends string> = {
  readonly state: State
  readonly previousState: State | null
  readonly sequence: number
}

/**
 * How a message of the holder was met. `taken`: it moved the exchange. `repeated`: it came before. `late`: the
 * exchange is over. `unexpected`: the exchange is not at this step. The last two are answered by a problem report.
 */
export type Met = { readonly met: 'taken' | 'repeated' | 'late' | 'unexpected' }

export const met = (how: Met['met']): Met => ({ met: how })
