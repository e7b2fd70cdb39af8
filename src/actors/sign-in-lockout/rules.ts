import type { OldDecider, Decision } from '../../domain/decider.ts'
import { refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'

/**
 * How often somebody tried to get in: for one account, or from one address. An attempt counts before it is judged, so
 * that guesses made side by side count like guesses made one after the other.
 */
export type AttemptsState = {
  readonly count: number
  readonly lastAtMs: number
  readonly lockedUntilMs: number
}

export type AttemptsCommand =
  /** `free`: so many attempts before the first pause. */
  | { readonly type: 'CountAttempt'; readonly atMs: number; readonly free: number }
  /** It was right so far: it does not count. */
  | { readonly type: 'ForgiveAttempt'; readonly atMs: number }
  /** They are in: nothing counts any more. */
  | { readonly type: 'ForgetAttempts'; readonly atMs: number }

export type AttemptsEvent =
  | {
      readonly type: 'AttemptCounted'
      readonly atMs: number
      readonly count: number
      readonly lockedUntilMs: number
    }
  | { readonly type: 'AttemptForgiven'; readonly atMs: number }
  | { readonly type: 'AttemptsForgotten'; readonly atMs: number }

export type AttemptsReply =
  | { readonly is: 'counted' }
  | { readonly is: 'locked'; readonly retryAfterMs: number }

const FIRST_PAUSE_MS = limits.signInPauseFirstSeconds * 1_000
const PAUSE_MAX_MS = limits.signInPauseSecondsMax * 1_000
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

export const attemptsDecider: OldDecider<AttemptsState, AttemptsCommand, AttemptsEvent, AttemptsReply> = {
  initialState: { count: 0, lastAtMs: 0, lockedUntilMs: 0 },
  decide,
  repeat: () => ({ is: 'counted' }),
  evolve,
  owed: () => [],
  timers: () => [],
}

const COUNTED: AttemptsReply = { is: 'counted' }

function decide(state: AttemptsState, command: AttemptsCommand): Decision<AttemptsEvent, AttemptsReply> {
  const { atMs } = command
  if (command.type !== 'CountAttempt') {
    if (state.count === 0) return { events: [], reply: COUNTED }
    const type = command.type === 'ForgiveAttempt' ? 'AttemptForgiven' : 'AttemptsForgotten'
    return { events: [{ type, atMs }], reply: COUNTED }
  }
  if (atMs < state.lockedUntilMs)
    return { events: [], reply: { is: 'locked', retryAfterMs: state.lockedUntilMs - atMs } }
  const count = atMs - state.lastAtMs > FORGOTTEN_AFTER_MS ? 1 : state.count + 1
  const over = count - command.free
  const pauseMs = over < 0 ? 0 : Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** Math.min(over, 30))
  return {
    events: [{ type: 'AttemptCounted', atMs, count, lockedUntilMs: over < 0 ? 0 : atMs + pauseMs }],
    reply: COUNTED,
  }
}

function evolve(state: AttemptsState, event: AttemptsEvent): AttemptsState {
  const { atMs: lastAtMs } = event
  switch (event.type) {
    case 'AttemptCounted':
      return { count: event.count, lastAtMs, lockedUntilMs: event.lockedUntilMs }
    case 'AttemptForgiven':
      return { count: Math.max(0, state.count - 1), lastAtMs, lockedUntilMs: 0 }
    case 'AttemptsForgotten':
      return { count: 0, lastAtMs, lockedUntilMs: 0 }
  }
}

/** What the caller is told; the same for an address nobody has. */
export const tooManyAttempts = () =>
  refuse('rate_limited', 'Too many attempts to sign in; wait before the next one.')
