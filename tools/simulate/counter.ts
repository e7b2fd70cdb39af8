import type { Effect, Timer } from '../../src/domain/decider.ts'
import { referencesTo } from '../../src/domain/references.ts'
import type { Random } from './random.ts'
import { type Codec, actorDefinition } from '../../src/host/definition.ts'

/** An actor with everything the protocol must keep: a sum, effects that are owed, timers that must ring. */
export type CounterState = {
  readonly total: number
  readonly count: number
  readonly owed: readonly string[]
  readonly timers: readonly Timer[]
  /** Of a counter that is erased whenever it is over, and so loses the ids of its commands with its last snapshot. */
  readonly kept?: readonly string[]
}

export type CounterCommand =
  | {
      readonly is: 'add'
      readonly amount: number
      readonly owe: string | null
      readonly timer: Timer | null
      /** The id of the command, for a counter that keeps it itself. */
      readonly keep?: string
    }
  | { readonly is: 'cancel-timers' }
  | { readonly is: 'read' }
  | { readonly is: 'settle'; readonly id: string }
  | { readonly is: 'ring'; readonly id: string }

export type CounterEvent =
  | {
      readonly is: 'added'
      readonly amount: number
      /** As the writer sees it, so that a decision on stale state shows in the log. */
      readonly total: number
      readonly owe: string | null
      readonly timer: Timer | null
      readonly keep?: string
    }
  | { readonly is: 'settled'; readonly id: string }
  | { readonly is: 'rang'; readonly id: string }
  | { readonly is: 'cancelled' }

/** How many events the reply was built on. */
export type CounterReply = { readonly seq: number; readonly total: number }

const decide = (state: CounterState, command: CounterCommand): readonly CounterEvent[] => {
  switch (command.is) {
    case 'read':
      return []
    case 'add': {
      const { is: _, amount, ...more } = command
      if (more.keep !== undefined && state.kept?.includes(more.keep) === true) return []
      return [{ is: 'added', amount, total: state.total + amount, ...more }]
    }
    case 'cancel-timers':
      return state.timers.length > 0 ? [{ is: 'cancelled' }] : []
    case 'settle':
      return state.owed.includes(command.id) ? [{ is: 'settled', id: command.id }] : []
    case 'ring':
      return state.timers.some(({ id }) => id === command.id) ? [{ is: 'rang', id: command.id }] : []
  }
}

const evolve = (state: CounterState, event: CounterEvent): CounterState => {
  const count = state.count + 1
  switch (event.is) {
    case 'added':
      return {
        total: event.total,
        count,
        owed: event.owe === null ? state.owed : [...state.owed, event.owe],
        timers: event.timer === null ? state.timers : [...state.timers, event.timer],
        ...(event.keep !== undefined && { kept: [...(state.kept ?? []), event.keep] }),
      }
    case 'settled':
      return { ...state, count, owed: state.owed.filter((id) => id !== event.id) }
    case 'rang':
      return { ...state, count, timers: state.timers.filter(({ id }) => id !== event.id) }
    case 'cancelled':
      return { ...state, count, timers: [] }
  }
}

const isOver = ({ count, owed, timers }: CounterState): boolean =>
  count > 0 && count % 3 === 0 && owed.length === 0 && timers.length === 0

const reply = ({ count, total }: CounterState): CounterReply => ({ seq: count, total })

const owedEffect = (id: string): Effect => ({ id, kind: 'tell' })

const jsonCodec = <Value>(): Codec<Value> => ({
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as Value,
})

export type CounterTypes = {
  readonly state: CounterState
  readonly command: CounterCommand
  readonly event: CounterEvent
  readonly reply: CounterReply
  readonly views: { readonly record: CounterReply }
  readonly owed: Effect
}

type Chances = { readonly owes: number; readonly sets: number; readonly dueMs: () => number }

/** Adds something; what it owes and the timer that it sets have names that follow from its id. */
export const randomAdd = (
  random: Random,
  commandId: string,
  { owes, sets, dueMs }: Chances,
): CounterCommand => ({
  is: 'add',
  amount: 1 + random.below(9),
  owe: random.chance(owes) ? `owe-${commandId}` : null,
  timer: random.chance(sets) ? { id: `timer-${commandId}`, dueMs: dueMs() } : null,
})

export const counters = referencesTo<CounterTypes>('cnt')

export const counter = actorDefinition<CounterTypes>({
  kind: 'cnt',
  decider: {
    initialState: { total: 0, count: 0, owed: [], timers: [] },
    decide,
    reply,
    evolve,
    views: { record: reply },
    owed: ({ owed }) => owed.map(owedEffect),
    timers: ({ timers }) => timers,
  },
  events: jsonCodec<CounterEvent>(),
  snapshots: jsonCodec<CounterState>(),
  snapshotEvery: 6,
  isNote: () => true,
  // Over again and again, so that its events are folded while others come.
  isOver,
  // Such a one leaves memory before that, and comes back.
  erased: (state) => state.kept !== undefined && isOver(state),
  forgetAfterMs: 1_000,
  foldsWhileAlive: true,
  perform: ({ id }) => Promise.resolve({ is: 'settle', id }),
  onTimer: (id) => ({ is: 'ring', id }),
})
