import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isRefused, type KindTypes, type Refused } from '../../src/domain/decider.ts'

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
const transitionsFrom = <Of extends Kind>(
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

/**
 * What a document says that each command does in a state: its tables have a column for each state and a row for each
 * command. `–`: nothing changes. A text with a colon names a refusal.
 */
const documentedTransitions = (
  document: string,
  states: readonly string[],
  state: string,
): Readonly<Record<string, string | undefined>> => {
  const text = readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8')
  const [, table = ''] = text.split(`|  | ${states.join(' | ')} |\n`)
  const [, ...rows] = table.slice(0, table.indexOf('\n\n')).split('\n')
  const at = 1 + states.indexOf(state)
  const cells = rows.map((row) => row.slice(2, -2).split(' | '))
  return Object.fromEntries(cells.map((row) => [row[0] ?? '', row[at]] as const))
}

/** The table that readers have of a machine is the one that it is held to, in each state that can be reached. */
export const itFollowsItsTable = <Of extends Kind>(document: string, machine: Machine<Of>): void => {
  const states = Object.keys(machine.paths)
  it.each(states)('in state %s meets every command as its documented table says', (state) => {
    expect(transitionsFrom(machine, state)).toEqual(documentedTransitions(document, states, state))
  })
}

/** Messages of a wallet that come over a connection which is not the exchange's own. */
export const itIsHiddenFromStrangers = <Of extends Kind>(machine: Machine<Of>, state: string): void => {
  const messages = Object.values(machine.commands).filter(({ type }) => type.startsWith('Receive'))
  it.each(messages)('is not to be had over another connection: $type', (message) => {
    const answer = machine.decider.decide(runPath(machine, state), { ...message, from: 'con_00bbbbbbbb' })
    expect(answer).toMatchObject({ refused: 'not_found' })
  })
}
