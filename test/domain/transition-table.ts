import { readFileSync } from 'node:fs'
import type { OldDecider, Effect } from '../../src/domain/decider.ts'

/** Where each command leads from each state. `–`: nothing changes. A text with a colon names a refusal or how it was met. */
export type TransitionTable<State extends string, Command extends string> = Readonly<
  Record<State, Readonly<Record<Command, string>>>
>

export type Machine<S extends { status: string }, C extends { type: string }, E, R, O extends Effect> = {
  readonly name: string
  readonly decider: OldDecider<S, C, E, R, O>
  /** How to get into a state, and a command of each type. */
  readonly paths: Readonly<Record<string, readonly C[]>>
  readonly commands: Readonly<Record<string, C>>
}

export const runPath = <S extends { status: string }, C extends { type: string }, E, R, O extends Effect>(
  machine: Machine<S, C, E, R, O>,
  state: string,
): S => {
  let reached = machine.decider.initialState
  for (const command of machine.paths[state] ?? []) {
    for (const event of machine.decider.decide(reached, command).events)
      reached = machine.decider.evolve(reached, event)
  }
  return reached
}

/** What the decider does, in the words of the table. */
const transition = <S extends { status: string }, C extends { type: string }, E, R, O extends Effect>(
  machine: Machine<S, C, E, R, O>,
  state: string,
  command: string,
): string => {
  const before = runPath(machine, state)
  const given = machine.commands[command]
  if (!given) throw new Error(`no command ${command}`)
  const { events, reply } = machine.decider.decide(before, given)
  let after = before
  for (const event of events) after = machine.decider.evolve(after, event)
  const answer = reply as { refused?: string; met?: string }
  if (answer.refused !== undefined) return `refused: ${answer.refused}`
  if (events.length === 0) return answer.met === undefined ? '–' : `– (${answer.met})`
  return after.status === before.status ? 'noted' : after.status
}

/** The row of a state: what the decider does with every command there. */
export const transitionsFrom = <
  S extends { status: string },
  C extends { type: string },
  E,
  R,
  O extends Effect,
>(
  machine: Machine<S, C, E, R, O>,
  state: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(machine.commands).map((command) => [command, transition(machine, state, command)]),
  )

/** What is decided about each message of a wallet that comes over another connection. */
export const answersToStranger = <
  S extends { status: string },
  C extends { type: string },
  E,
  R,
  O extends Effect,
>(
  machine: Machine<S, C, E, R, O>,
  state: string,
) =>
  Object.values(machine.commands)
    .filter(({ type }) => type.startsWith('Receive'))
    .map((command) => machine.decider.decide(runPath(machine, state), { ...command, from: 'con_00bbbbbbbb' }))

/** The table as it stands in the documents: a column for each state, a row for each command. */
export const asMarkdown = (
  { commands }: { readonly commands: object },
  table: TransitionTable<string, string>,
): string => {
  const states = Object.keys(table)
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    row(['', ...states]),
    row(['---', ...states.map(() => '---')]),
    ...Object.keys(commands).map((command) =>
      row([command, ...states.map((state) => table[state]?.[command] ?? '')]),
    ),
  ].join('\n')
}

export const documented = (): string =>
  readFileSync(new URL('../../docs/EXCHANGES.md', import.meta.url), 'utf8')
