import type { Decider, KindTypes, OldDecider } from '../../src/domain/decider.ts'
import { isRefused, type Refused } from '../../src/domain/refused.ts'

type Run<State, Reply, Event> = {
  readonly state: State
  readonly replies: readonly Reply[]
  readonly events: readonly Event[]
}
type AnyOld = OldDecider<unknown, unknown, unknown, unknown, never>

/** Sends commands one after the other; gives the last state, all replies and all events. */
export function runDecider<Of extends KindTypes>(
  decider: Decider<Of>,
  commands: readonly Of['command'][],
): Run<Of['state'], Of['reply'] | Refused, Of['event']>
/** The same for rules in the old form. */
export function runDecider<State, Command, Event, Reply>(
  decider: OldDecider<State, Command, Event, Reply, never>,
  commands: readonly Command[],
): Run<State, Reply, Event>
export function runDecider(
  decider: Decider<KindTypes> | AnyOld,
  commands: readonly unknown[],
): Run<unknown, unknown, unknown> {
  let state = decider.initialState
  const events: unknown[] = []
  const replies = commands.map((command) => {
    const decided = decider.decide(state, command)
    if (isRefused(decided)) return decided
    const happened = 'reply' in decided ? decided.events : decided
    for (const event of happened) state = decider.evolve(state, event)
    events.push(...happened)
    return 'reply' in decided ? decided.reply : (decider as Decider<KindTypes>).reply(state, command)
  })
  return { state, replies, events }
}
