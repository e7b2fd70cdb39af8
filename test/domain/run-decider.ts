import type { Decider, KindTypes, OldDecider } from '../../src/domain/decider.ts'
import { isRefused, type Refused } from '../../src/domain/refused.ts'

type Ran<State, Reply, Event> = {
  readonly state: State
  readonly replies: readonly Reply[]
  readonly events: readonly Event[]
}

/** Sends commands one after the other; gives the last state, all replies and all events. */
export function runDecider<Of extends KindTypes>(
  decider: Decider<Of>,
  commands: readonly Of['command'][],
): Ran<Of['state'], Of['reply'] | Refused, Of['event']>
/** For deciders of the old form. */
export function runDecider<State, Command, Event, Reply>(
  decider: OldDecider<State, Command, Event, Reply, never>,
  commands: readonly Command[],
): Ran<State, Reply, Event>
export function runDecider(
  decider: Decider<KindTypes> | OldDecider<unknown, unknown, unknown, unknown>,
  commands: readonly unknown[],
): Ran<unknown, unknown, unknown> {
  let state = decider.initialState
  const events: unknown[] = []
  const replies = commands.map((command) => {
    const decided = decider.decide(state, command)
    if (isRefused(decided)) return decided
    const happened = 'events' in decided ? decided.events : decided
    for (const event of happened) state = decider.evolve(state, event)
    events.push(...happened)
    return 'reply' in decider ? decider.reply(state, command) : 'reply' in decided ? decided.reply : null
  })
  return { state, replies, events }
}
