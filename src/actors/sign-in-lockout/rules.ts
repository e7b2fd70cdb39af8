import { NOTHING_HAPPENS, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 * How many attempts to sign in there were for one account, on one device that is known, in one session, or from one network
 * address. An attempt counts before it is judged, so that guesses made side by side count like guesses made one after the other.
 */
export type LockoutState = {
  readonly count: number
  readonly lastAtMs: number
  readonly lockedUntilMs: number
}

type Timed = { readonly atMs: number }

export type LockoutCommand =
  /** `free`: so many attempts before the first pause. */
  | (Timed & { readonly type: 'CountAttempt'; readonly free: number })
  /** An attempt was right so far: it does not count, and a lock that it has set itself is lifted. */
  | (Timed & { readonly type: 'ForgiveAttempt'; readonly lockedUntilMs: number })
  /** The sign-in succeeded: no attempt until now counts any more. */
  | (Timed & { readonly type: 'ForgetAttempts' })

export type LockoutEvent =
  | (Timed & { readonly type: 'AttemptCounted'; readonly count: number; readonly lockedUntilMs: number })
  | (Timed & { readonly type: 'AttemptForgiven'; readonly lockedUntilMs: number })
  | (Timed & { readonly type: 'AttemptsForgotten' })

export type LockoutTypes = {
  readonly state: LockoutState
  readonly command: LockoutCommand
  readonly event: LockoutEvent
  readonly reply: LockoutState
  readonly views: { readonly record: LockoutState }
  readonly owed: never
}

export const signInLockout = referencesTo<LockoutTypes>('try')

/** The refusal of an attempt while there must be none. */
export type Locked = Refused & { readonly retryAfterMs: number }

export const isLocked = (answer: object): answer is Locked => 'retryAfterMs' in answer

/** Null when the next attempt may come. */
export const lockOf = ({ lockedUntilMs }: LockoutState, atMs: number): Locked | null =>
  atMs < lockedUntilMs
    ? {
        ...refuse('rate_limited', 'Too many attempts to sign in; wait before the next one.'),
        retryAfterMs: lockedUntilMs - atMs,
      }
    : null

const FIRST_PAUSE_MS = limits.signInPauseFirstSeconds * 1_000
const PAUSE_MAX_MS = limits.signInPauseSecondsMax * 1_000
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** From here on the next attempt counts as the first one. */
export const goneAtMs = ({ count, lastAtMs, lockedUntilMs }: LockoutState): number =>
  count === 0 ? lastAtMs : Math.max(lastAtMs + FORGOTTEN_AFTER_MS + 1, lockedUntilMs)

export const lockoutDecider: Decider<LockoutTypes> = {
  initialState: { count: 0, lastAtMs: 0, lockedUntilMs: 0 },
  decide,
  evolve,
  reply: (state) => state,
  views: { record: (state) => state },
}

function decide(state: LockoutState, command: LockoutCommand): readonly LockoutEvent[] | Refused {
  const { atMs } = command
  if (command.type !== 'CountAttempt') {
    if (state.count === 0) return NOTHING_HAPPENS
    if (command.type === 'ForgetAttempts') return [{ type: 'AttemptsForgotten', atMs }]
    const { lockedUntilMs } = state
    return [
      {
        type: 'AttemptForgiven',
        atMs,
        lockedUntilMs: lockedUntilMs === command.lockedUntilMs ? 0 : lockedUntilMs,
      },
    ]
  }
  const locked = lockOf(state, atMs)
  if (locked !== null) return locked
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
      return { count: Math.max(0, state.count - 1), lastAtMs, lockedUntilMs: event.lockedUntilMs }
    case 'AttemptsForgotten':
      return { count: 0, lastAtMs, lockedUntilMs: 0 }
  }
}
