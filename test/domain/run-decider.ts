import type { Decider, KindTypes, OldDecider } from '../../src/domain/decider.ts'
import { isRefused, type Refused } from '../../src/domain/refused.ts'

type Run<State, Reply, Event> = {
  readonly state: State
  readonly replies: readonly Reply[]
  readonly events: readonly Event[]
}

/** Sends commands one after the other; gives the last state, all replies and all events. */
export function runDecider<Of extends KindTypes>(
  decider: Decider<Of>,
  commands: readonly Of['command'][],
): Run<Of['state'], Of['reply'] | Refused, Of['event']>
export function runDecider<State, Command, Event, Reply>(
  decider: OldDecider<State, Command, Event, Reply, never>,
  commands: readonly Command[],
): Run<State, Reply, Event>
export function runDecider(
  decider: Decider<KindTypes> | OldDecider<unknown, unknown, unknown, unknown, never>,
  commands: readonly unknown[],
): Run<unknown, unknown, unknown> {
  let state = decider.initialState
  const all: unknown[] = []
  const happen = (events: readonly unknown[]): void => {
    for (const event of events) state = decider.evolve(state, event)
    all.push(...events)
  }
  const replies = commands.map((command) => {
    if ('repeat' in decider) {
      const { events, reply } = decider.decide(state, command)
      happen(events)
      return reply
    }
    const decided = decider.decide(state, command)
    if (isRefused(decided)) return decided
    happen(decided)
    return decider.reply(state, command)
  })
  return { state, replies, events: all }
}
