import { impossibleEvent, refuse, type Timer } from './decider.ts'
import type { Failed } from './failures.ts'
import { limits } from './limits.ts'

/** How long an exchange waits for its holder; every step of the holder starts the wait again. */
export const HOLDER_WAIT_MS = limits.abandonmentHours * 3_600_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * When something that a wallet must hear is tried again after its first attempt: for an endpoint that has just restarted,
 * a mediator that is away for an hour, one that is away for a night. A wallet that is not there for a day is waited for no
 * longer.
 */
export const LATER_ATTEMPTS_MS = [10_000, 5 * MINUTE_MS, 70 * MINUTE_MS, 8 * HOUR_MS, 20 * HOUR_MS] as const

/** The timer of that wait, in every kind of exchange. */
const ABANDON_TIMER = 'abandon'

/**
 * What an event that moves a record tells the outside, complete in itself: the webhook is made from it without a
 * look at the record. `sequence` counts a record's visible changes: 1, 2, 3 …
 */
export type Change<State extends string> = {
  readonly state: State
  readonly previousState: State | null
  readonly sequence: number
}

/** On whose request a record is erased; `retention`: its time was over, of which organisations do not hear. */
export const erasers = ['api_key', 'tenant_member', 'operator', 'retention'] as const
export type Eraser = (typeof erasers)[number]

/**
 * When a record came into a state, or when a message arrived that no state tells of: `out:` and its name where it went to
 * the wallet, `in:` where it came from there. `face:` stands before what an attempt at a face check has come to, and `why:`
 * and a code of `failures.ts` before the state that it explains.
 */
export type Step = readonly [name: string, atMs: number]

const WHY = 'why:'
const FACE = 'face:'
const MESSAGE = /^(in|out):/

/** The step that says why something failed. */
export const failedBecause = (code: string, atMs: number): Step => [`${WHY}${code}`, atMs]

/** The code of the step, where it says why something failed. */
export const failureIn = ([name]: Step): string | null =>
  name.startsWith(WHY) ? name.slice(WHY.length) : null

/** The step that says what an attempt at a face check has come to. */
export const faceChecked = (outcome: string, atMs: number): Step => [`${FACE}${outcome}`, atMs]

/** What the attempt has come to, where the step is one at a face check. */
export const faceOutcomeIn = ([name]: Step): string | null =>
  name.startsWith(FACE) ? name.slice(FACE.length) : null

/** Whether the record came into a state by this step. */
export const isState = (step: Step): boolean =>
  failureIn(step) === null && faceOutcomeIn(step) === null && !MESSAGE.test(step[0])

/** Whether an event tells of the step: those of a record are numbered by these steps. */
export const isTold = (step: Step): boolean => isState(step) || faceOutcomeIn(step) !== null

/** The states of a record and why it failed, without what lies between them. */
export const countedSteps = (steps: readonly Step[]): readonly Step[] =>
  steps.filter((step) => isState(step) || failureIn(step) !== null)

/** When an exchange began, changed last, began to wait for its holder and was erased, and how many visible changes it has had. */
export type ExchangeTimes = {
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly waitingSinceMs: number
  /** Both null until it is erased. */
  readonly erasedAtMs: number | null
  readonly erasedBy: Eraser | null
  readonly sequence: number
  /**
   * Every state that it has had, in order, and the messages that its states do not tell of: what is left of its history
   * when its events are folded into a snapshot. Nothing in it is personal, so it outlives an erasure.
   */
  readonly steps: readonly Step[]
}

/** The state in which a record comes to be. */
export const firstChange = <State extends string>(state: State): Change<State> => ({
  state,
  previousState: null,
  sequence: 1,
})

/** The next visible state of a record. */
export const changeTo = <State extends string>(
  { status, sequence }: { readonly status: State; readonly sequence: number },
  next: State,
): Change<State> => ({ state: next, previousState: status, sequence: sequence + 1 })

/** The times after the first visible change. */
export const timesAt = (atMs: number, { state, sequence }: Change<string>): ExchangeTimes => ({
  createdAtMs: atMs,
  updatedAtMs: atMs,
  waitingSinceMs: atMs,
  erasedAtMs: null,
  erasedBy: null,
  sequence,
  steps: [[state, atMs]],
})

/** The times after a further change, which must follow on the state that the record has. */
export const timesAfter = (
  { status, createdAtMs, steps }: Pick<ExchangeTimes, 'createdAtMs' | 'steps'> & { readonly status: string },
  event: { readonly type: string; readonly atMs: number; readonly change: Change<string> } & Failed,
): ExchangeTimes => {
  if (event.change.previousState !== status) throw impossibleEvent(event, status)
  const { atMs, failure } = event
  const why = failure === undefined ? [] : [failedBecause(failure, atMs)]
  const { state } = event.change
  return { ...timesAt(atMs, event.change), createdAtMs, steps: [...steps, ...why, [state, atMs]] }
}

/** The steps of a record with a message behind them. */
export const withMessage = (
  steps: readonly Step[],
  message: `${'out' | 'in'}:${string}`,
  atMs: number,
): readonly Step[] => [...steps, [message, atMs]]

/** By which message the holder has said no: a proposal is answered by a problem, a report is not. */
export const declinedBy = <Of extends Pick<ExchangeTimes, 'steps'>>(
  state: Of,
  { problem, atMs }: { readonly problem: string | null; readonly atMs: number },
): Of => {
  const message = problem === null ? 'in:problem-report' : 'in:proposal'
  return { ...state, steps: withMessage(state.steps, message, atMs) }
}

/** The wait for the holder, as long as the exchange is not over. */
export const holderWait = ({ waitingSinceMs }: { readonly waitingSinceMs: number }): readonly Timer[] => [
  { id: ABANDON_TIMER, dueMs: waitingSinceMs + HOLDER_WAIT_MS },
]

/** A proposal is a "no" of the holder's: what callers see of it, and what the holder hears. */
export const proposed = {
  errorMessage: 'The holder proposed something else.',
  failure: 'proposed_something_else',
  problem: 'Proposals are not taken here; wait for an offer or a request.',
} as const

export const messageLate = refuse('message_late', 'The exchange is over.')
export const messageUnexpected = refuse('message_unexpected', 'The exchange does not wait for this message.')

/** Since when an exchange waits for its holder, for the timer that ends the wait. */
export const holderWaitSince = (
  state: { readonly status: string; readonly waitingSinceMs?: number },
  timerId: string,
): number | null => (timerId === ABANDON_TIMER ? (state.waitingSinceMs ?? null) : null)
