import type { OldDecider, Decision } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/** For whom an operator acts, in one session. */
export type ActingFacts = {
  readonly organisation: string
  readonly operatorId: string
  /** Free text, so it is ciphertext under the organisation's key. */
  readonly sealedReason: string
  /** False: only to look. */
  readonly mayChange: boolean
}
export type ActingPeriod = ActingFacts & { readonly startedAtMs: number; readonly endsAtMs: number }

/** `operator`: by the operator, or with the session. */
export type ActingEnder = 'operator' | 'time'

/** The organisation has not been told of it yet. */
export type UntoldEnd = {
  /** Counts the periods of a session. */
  readonly number: number
  readonly organisation: string
  readonly operatorId: string
  readonly by: ActingEnder
  readonly atMs: number
}

export type ActingState = {
  readonly number: number
  readonly period: ActingPeriod | null
  readonly untold: readonly UntoldEnd[]
}

type At = { readonly atMs: number }
export type ActingCommand =
  | (At & ActingFacts & { readonly type: 'BeginActing' })
  | (At & { readonly type: 'EndActing' })
  | (At & { readonly type: 'LetActingRunOut'; readonly number: number })
  | { readonly type: 'NoteEndTold'; readonly number: number; readonly atMs: number }
  | { readonly type: 'ReadActing' }

export type ActingEvent =
  | (At & ActingFacts & { readonly type: 'ActingBegun' })
  | (At & { readonly type: 'ActingEnded'; readonly by: ActingEnder })
  | (At & { readonly type: 'ActingEndTold'; readonly number: number })

/** Whoever reads it looks at `endsAtMs` too: the wake-up comes a moment later. */
export type ActingReply = { readonly period: ActingPeriod | null } | Refused

export type TellEnd = { readonly id: string; readonly kind: 'tell-acting-end'; readonly end: UntoldEnd }

type Decided = Decision<ActingEvent, ActingReply>

const LASTS_MS = limits.actingMinutes * 60_000
/** Nobody begins so often while the log of an organisation cannot be written. */
const UNTOLD_MAX = 20

/**
 *   idle ──begin──▶ acting ──end, time──▶ idle, owing a line in the organisation's audit log
 */
export const actingDecider: OldDecider<ActingState, ActingCommand, ActingEvent, ActingReply, TellEnd> = {
  initialState: { number: 0, period: null, untold: [] },
  decide,
  repeat: ({ period }) => ({ period }),
  evolve,
  owed: ({ untold }) => untold.map((end) => ({ id: `tell-${end.number}`, kind: 'tell-acting-end', end })),
  timers: ({ number, period }) => (period === null ? [] : [{ id: `end-${number}`, dueMs: period.endsAtMs }]),
}

function decide(state: ActingState, command: ActingCommand): Decided {
  const { period, number, untold } = state
  switch (command.type) {
    case 'ReadActing':
      return { events: [], reply: { period } }
    case 'BeginActing': {
      if (untold.length >= UNTOLD_MAX)
        return { events: [], reply: refuse('overloaded', 'The audit log is behind; try again.') }
      const { type: _, ...facts } = command
      const ended: readonly ActingEvent[] = period === null ? [] : [over(period, command.atMs, 'operator')]
      return moved(state, [...ended, { type: 'ActingBegun', ...facts }])
    }
    case 'EndActing':
      return period === null ? moved(state, []) : moved(state, [over(period, command.atMs, 'operator')])
    case 'LetActingRunOut':
      return period === null || number !== command.number
        ? moved(state, [])
        : moved(state, [over(period, command.atMs, 'time')])
    case 'NoteEndTold':
      return untold.some((end) => end.number === command.number)
        ? moved(state, [{ type: 'ActingEndTold', atMs: command.atMs, number: command.number }])
        : moved(state, [])
  }
}

/** Whoever ends what is over already only finds its end. */
const over = ({ endsAtMs }: ActingPeriod, atMs: number, by: ActingEnder): ActingEvent =>
  atMs < endsAtMs && by === 'operator'
    ? { type: 'ActingEnded', atMs, by }
    : { type: 'ActingEnded', atMs: endsAtMs, by: 'time' }

const moved = (state: ActingState, events: readonly ActingEvent[]): Decided => ({
  events,
  reply: { period: events.reduce(evolve, state).period },
})

function evolve(state: ActingState, event: ActingEvent): ActingState {
  switch (event.type) {
    case 'ActingBegun': {
      const { type: _, atMs, ...facts } = event
      if (state.period !== null) throw new Error('one period of acting ends before the next begins')
      const period = { ...facts, startedAtMs: atMs, endsAtMs: atMs + LASTS_MS }
      return { ...state, number: state.number + 1, period }
    }
    case 'ActingEnded': {
      if (state.period === null) throw new Error('nobody acts whose acting could end')
      const { organisation, operatorId } = state.period
      const { atMs, by } = event
      const end = { number: state.number, organisation, operatorId, by, atMs }
      return { ...state, period: null, untold: [...state.untold, end] }
    }
    case 'ActingEndTold':
      return { ...state, untold: state.untold.filter(({ number }) => number !== event.number) }
  }
}
