import { type Decider, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'
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
  | (At & { readonly type: 'NoteEndTold'; readonly number: number })

export type ActingEvent =
  | (At & ActingFacts & { readonly type: 'ActingBegun' })
  | (At & { readonly type: 'ActingEnded'; readonly by: ActingEnder })
  | (At & { readonly type: 'ActingEndTold'; readonly number: number })

export type TellEnd = { readonly id: string; readonly kind: 'tell-acting-end'; readonly end: UntoldEnd }

export type ActingTypes = {
  readonly state: ActingState
  readonly command: ActingCommand
  readonly event: ActingEvent
  readonly reply: ActingPeriod | null
  /** To be looked at with `endsAtMs`: the wake-up comes a moment later. */
  readonly views: { readonly record: ActingPeriod | null }
  readonly owed: TellEnd
}

export const acting = referencesTo<ActingTypes>('act')

const LASTS_MS = limits.actingMinutes * 60_000
/** Nobody begins so often while the log of an organisation cannot be written. */
const UNTOLD_MAX = 20

/**
 *   idle ──begin──▶ acting ──end, time──▶ idle, owing a line in the organisation's audit log
 */
export const actingDecider: Decider<ActingTypes> = {
  initialState: { number: 0, period: null, untold: [] },
  decide,
  evolve,
  reply: ({ period }) => period,
  views: { record: ({ period }) => period },
  owed: ({ untold }) => untold.map((end) => ({ id: `tell-${end.number}`, kind: 'tell-acting-end', end })),
  timers: ({ number, period }) => (period === null ? [] : [{ id: `end-${number}`, dueMs: period.endsAtMs }]),
}

function decide(state: ActingState, command: ActingCommand): readonly ActingEvent[] | Refused {
  const { period, number, untold } = state
  const { atMs } = command
  switch (command.type) {
    case 'BeginActing': {
      if (untold.length >= UNTOLD_MAX) return refuse('overloaded', 'The audit log is behind; try again.')
      const { type: _, ...facts } = command
      const begun: ActingEvent = { type: 'ActingBegun', ...facts }
      return period === null ? [begun] : [over(period, atMs, 'operator'), begun]
    }
    case 'EndActing':
      return period === null ? NOTHING_HAPPENS : [over(period, atMs, 'operator')]
    case 'LetActingRunOut':
      return period === null || number !== command.number ? NOTHING_HAPPENS : [over(period, atMs, 'time')]
    case 'NoteEndTold': {
      const isOwed = untold.some((end) => end.number === command.number)
      return isOwed ? [{ type: 'ActingEndTold', atMs, number: command.number }] : NOTHING_HAPPENS
    }
  }
}

/** What is over already has ended when its time was over. */
const over = ({ endsAtMs }: ActingPeriod, atMs: number, by: ActingEnder): ActingEvent =>
  atMs < endsAtMs && by === 'operator'
    ? { type: 'ActingEnded', atMs, by }
    : { type: 'ActingEnded', atMs: endsAtMs, by: 'time' }

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
