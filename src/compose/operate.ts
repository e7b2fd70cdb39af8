import { type Refused, refuse } from '../domain/refused.ts'
import type { Commands } from './command.ts'

/** What the operator orders, by name; the command line says it to the running service. */
export type Operate = (name: string, input: unknown) => Promise<object | Refused>

export const operateBy =
  (commands: Commands): Operate =>
  (name, input) => {
    const found = Object.hasOwn(commands, name) ? commands[name] : undefined
    return found?.run(input) ?? Promise.resolve(refuse('not_found', 'There is no such command.'))
  }
