/** Something the actor's state says must still happen outside; stable id, cleared only by the event that records its outcome. */
export type Effect = { readonly id: string; readonly kind: string }

/** A wake-up the state asks for. The state is the truth: a row that fires and is not in `timers(state)` is stale. */
export type Timer = { readonly id: string; readonly dueMs: number }

export type Decision<Event, Reply> = { readonly events: readonly Event[]; readonly reply: Reply }

/**
 * A pure state machine. No clock, randomness, await, crypto or logger: times, ids and results of
 * cryptography arrive inside the command.
 */
export type Decider<State, Command, Event, Reply, Owed extends Effect = Effect> = {
  readonly initialState: State
  decide(state: State, command: Command): Decision<Event, Reply>
  /** The reply to a command whose events are already part of the state: rebuilt, because a stored reply could hold secrets. */
  repeat(state: State, command: Command): Reply
  /** Throws on an event that is impossible in the state. */
  evolve(state: State, event: Event): State
  owed(state: State): readonly Owed[]
  timers(state: State): readonly Timer[]
}
