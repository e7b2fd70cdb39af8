import { type Decider, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/**
 * How many attempts to sign in there were for one account, or from one network address. An attempt counts before it is
 * judged, so that guesses made side by side count like guesses made one after the other.
 */
export type LockoutState = {
  readonly count: number
  readonly lastAtMs: number
  readonly lockedUntilMs: number
}

type At = { readonly atMs: number }

export type LockoutCommand =
  /** `free`: so many attempts before the first pause. */
  | (At & { readonly type: 'CountAttempt'; readonly free: number })
  /** This attempt was right so far: it does not count. */
  | (At & { readonly type: 'ForgiveAttempt' })
  /** The sign-in succeeded: no attempt until now counts any more. */
  | (At & { readonly type: 'ForgetAttempts' })

export type LockoutEvent =
  | (At & { readonly type: 'AttemptCounted'; readonly count: number; readonly lockedUntilMs: number })
  | (At & { readonly type: 'AttemptForgiven' })
  | (At & { readonly type: 'AttemptsForgotten' })

export type LockoutTypes = {
  readonly state: LockoutState
  readonly command: LockoutCommand
  readonly event: LockoutEvent
  readonly reply: null
  readonly views: { readonly record: LockoutState }
  readonly owed: never
}

export const signInLockout = referencesTo<LockoutTypes>('try')

/** The refusal of an attempt while there must be none. */
export type Locked = Refused & { readonly retryAfterMs: number }

export const isLocked = (answer: object): answer is Locked => 'retryAfterMs' in answer

/** The same for an address that no account has. */
const locked = (retryAfterMs: number): Locked => ({
  ...refuse('rate_limited', 'Too many attempts to sign in; wait before the next one.'),
  retryAfterMs,
})

const FIRST_PAUSE_MS = limits.signInPauseFirstSeconds * 1_000
const PAUSE_MAX_MS = limits.signInPauseSecondsMax * 1_000
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

export const lockoutDecider: Decider<LockoutTypes> = {
  initialState: { count: 0, lastAtMs: 0, lockedUntilMs: 0 },
  decide,
  evolve,
  reply: () => null,
  views: { record: (state) => state },
}

function decide(state: LockoutState, command: LockoutCommand): readonly LockoutEvent[] | Refused {
  const { atMs } = command
  if (command.type !== 'CountAttempt') {
    if (state.count === 0) return NOTHING_HAPPENS
    return [{ type: command.type === 'ForgiveAttempt' ? 'AttemptForgiven' : 'AttemptsForgotten', atMs }]
  }
  if (atMs < state.lockedUntilMs) return locked(state.lockedUntilMs - atMs)
  const count = atMs - state.lastAtMs > FORGOTTEN_AFTER_MS ? 1 : state.count + 1
  const over = count - command.free
  const pauseMs = over < 0 ? 0 : Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** Math.min(over, 30))
  return [{ type: 'AttemptCounted', atMs, count, lockedUntilMs: over < 0 ? 0 : atMs + pauseMs }]
}

function evolve(state: LockoutState, event: LockoutEvent): LockoutState {
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
