import type { OldDecider } from '../../src/domain/decider.ts'

/** Sends commands one after the other; gives the last state, all replies and all events. */
export const runDecider = <State, Command, Event, Reply>(
  decider: OldDecider<State, Command, Event, Reply, never>,
  commands: readonly Command[],
): { readonly state: State; readonly replies: readonly Reply[]; readonly events: readonly Event[] } => {
  let state = decider.initialState
  const events: Event[] = []
  const replies = commands.map((command) => {
    const decision = decider.decide(state, command)
    for (const event of decision.events) state = decider.evolve(state, event)
    events.push(...decision.events)
    return decision.reply
  })
  return { state, replies, events }
}
