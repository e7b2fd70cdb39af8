import { readFileSync } from 'node:fs'
import type { KindTypes } from '../../src/domain/decider.ts'
import { isRefused, type Refused } from '../../src/domain/refused.ts'

/** Where each command leads from each state. `–`: nothing changes. A text with a colon names a refusal. */
export type TransitionTable<State extends string, Command extends string> = Readonly<
  Record<State, Readonly<Record<Command, string>>>
>

type Kind = Pick<KindTypes, 'state' | 'command'> & {
  readonly state: { readonly status: string }
  readonly command: { readonly type: string }
}

/** What a table needs of a decider. */
type Rules<Of extends Kind> = {
  readonly initialState: Of['state']
  readonly decide: (state: Of['state'], command: Of['command']) => readonly unknown[] | Refused
  readonly evolve: (state: Of['state'], event: never) => Of['state']
}

export type Machine<Of extends Kind> = {
  readonly decider: Rules<Of>
  /** How to get into a state, and a command of each type. */
  readonly paths: Readonly<Record<string, readonly Of['command'][]>>
  readonly commands: Readonly<Record<string, Of['command']>>
}

type Outcome<State> = {
  readonly state: State
  readonly events: readonly unknown[]
  readonly refused: string | null
}

const take = <Of extends Kind>(
  { decide, evolve }: Rules<Of>,
  state: Of['state'],
  command: Of['command'],
): Outcome<Of['state']> => {
  const decided = decide(state, command)
  if (isRefused(decided)) return { state, events: [], refused: decided.refused }
  const after = decided.reduce<Of['state']>((reached, event) => evolve(reached, event as never), state)
  return { state: after, events: decided, refused: null }
}

export const runPath = <Of extends Kind>({ decider, paths }: Machine<Of>, state: string): Of['state'] =>
  (paths[state] ?? []).reduce<Of['state']>(
    (reached, command) => take(decider, reached, command).state,
    decider.initialState,
  )

/** The row of a state: what the decider does with every command there, in the words of the table. */
export const transitionsFrom = <Of extends Kind>(
  machine: Machine<Of>,
  state: string,
): Readonly<Record<string, string>> => {
  const before = runPath(machine, state)
  const wordsFor = (command: Of['command']): string => {
    const { state: after, events, refused } = take(machine.decider, before, command)
    if (refused !== null) return `refused: ${refused}`
    if (events.length === 0) return '–'
    return after.status === before.status ? 'noted' : after.status
  }
  return Object.fromEntries(Object.entries(machine.commands).map(([name, each]) => [name, wordsFor(each)]))
}

/** What is decided about each message of a wallet that comes over another connection. */
export const answersToStranger = <Of extends Kind>(machine: Machine<Of>, state: string) =>
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
