import type { Command } from 'commander'
import { ConfigError } from '../config/config.ts'
import { type Output, outputOf } from './output.ts'

/** What commander calls for a command. */
export type Action = (...given: unknown[]) => Promise<void>

/**
 * A command that gets its arguments and options by their names. Where it answers false, or throws, the exit code is 1;
 * what it throws is said: one sentence, or the mistakes of the configuration.
 */
export const action =
  <Input = unknown>(run: (input: Input, output: Output) => Promise<unknown>): Action =>
  async (...given) => {
    const command = given.at(-1) as Command
    const output = outputOf(command)
    const texts = command.registeredArguments.map((each, at) => [inCamelCase(each.name()), given[at]])
    try {
      const isWell = await run({ ...command.opts(), ...Object.fromEntries(texts) } as Input, output)
      process.exitCode = isWell === false ? 1 : 0
    } catch (error) {
      output.failure(error instanceof ConfigError ? error.mistakes : [(error as Error).message])
      process.exitCode = 1
    }
  }

/** The options under the names that commander gives them. */
const inCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
