import { NOTHING_HAPPENS, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'

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

/** An end that does not stand in the organisation's audit log yet. */
export type UnreportedEnd = {
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
  readonly unreported: readonly UnreportedEnd[]
}

type At = { readonly atMs: number }
export type ActingCommand =
  | (At & ActingFacts & { readonly type: 'BeginActing' })
  | (At & { readonly type: 'EndActing' })
  | (At & { readonly type: 'LetActingRunOut'; readonly number: number })
  | (At & { readonly type: 'RecordEndReported'; readonly number: number })

export type ActingEvent =
  | (At & ActingFacts & { readonly type: 'ActingBegun' })
  | (At & { readonly type: 'ActingEnded'; readonly by: ActingEnder })
  | (At & { readonly type: 'ActingEndReported'; readonly number: number })

export type ReportEnd = {
  readonly id: string
  readonly kind: 'report-acting-end'
  readonly end: UnreportedEnd
}

export type ActingTypes = {
  readonly state: ActingState
  readonly command: ActingCommand
  readonly event: ActingEvent
  readonly reply: ActingPeriod | null
  /** To be looked at with `endsAtMs`: the wake-up comes a moment later. */
  readonly views: { readonly record: ActingPeriod | null }
  readonly owed: ReportEnd
}

export const acting = referencesTo<ActingTypes>('act')

const LASTS_MS = limits.actingMinutes * 60_000
/** More often than any operator begins while the log of an organisation cannot be written. */
const UNREPORTED_MAX = 20

/**
 *   idle ──begin──▶ acting ──end, time──▶ idle, owing a line in the organisation's audit log
 */
export const actingDecider: Decider<ActingTypes> = {
  initialState: { number: 0, period: null, unreported: [] },
  decide,
  evolve,
  reply: ({ period }) => period,
  views: { record: ({ period }) => period },
  owed: ({ unreported }) =>
    unreported.map((end) => ({ id: `report-${end.number}`, kind: 'report-acting-end', end })),
  timers: ({ number, period }) => (period === null ? [] : [{ id: `end-${number}`, dueMs: period.endsAtMs }]),
}

function decide(state: ActingState, command: ActingCommand): readonly ActingEvent[] | Refused {
  const { period, number, unreported } = state
  const { atMs } = command
  switch (command.type) {
    case 'BeginActing': {
      if (unreported.length >= UNREPORTED_MAX)
        return refuse('overloaded', 'The audit log is behind; try again.')
      const { type: _, ...facts } = command
      const begun: ActingEvent = { type: 'ActingBegun', ...facts }
      return period === null ? [begun] : [over(period, atMs, 'operator'), begun]
    }
    case 'EndActing':
      return period === null ? NOTHING_HAPPENS : [over(period, atMs, 'operator')]
    case 'LetActingRunOut':
      return period === null || number !== command.number ? NOTHING_HAPPENS : [over(period, atMs, 'time')]
    case 'RecordEndReported': {
      const isOwed = unreported.some((end) => end.number === command.number)
      return isOwed ? [{ type: 'ActingEndReported', atMs, number: command.number }] : NOTHING_HAPPENS
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
      if (state.period === null) throw new Error('acting cannot end before it begins')
      const { organisation, operatorId } = state.period
      const { atMs, by } = event
      const end = { number: state.number, organisation, operatorId, by, atMs }
      return { ...state, period: null, unreported: [...state.unreported, end] }
    }
    case 'ActingEndReported':
      return { ...state, unreported: state.unreported.filter(({ number }) => number !== event.number) }
  }
}
