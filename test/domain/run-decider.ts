import { isRefused, type Decider, type KindTypes, type Refused } from '../../src/domain/decider.ts'

type Run<State, Reply, Event> = {
  readonly state: State
  readonly replies: readonly Reply[]
  readonly events: readonly Event[]
}
/** Sends commands one after the other; gives the last state, all replies and all events. */
export const runDecider = <Of extends KindTypes>(
  decider: Decider<Of>,
  commands: readonly Of['command'][],
): Run<Of['state'], Of['reply'] | Refused, Of['event']> => {
  let state = decider.initialState
  const events: Of['event'][] = []
  const replies = commands.map((command) => {
    const decided = decider.decide(state, command)
    if (isRefused(decided)) return decided
    for (const event of decided) state = decider.evolve(state, event)
    events.push(...decided)
    return decider.reply(state, command)
  })
  return { state, replies, events }
}
