import type { Command } from 'commander'
import { ConfigError, type Environment, loadConfig } from '../config/config.ts'
import { type Output, outputOf } from './output.ts'
import { type Answer, type Call, callService, OrderFailed } from './service-call.ts'

/** `texts` are the arguments of the command, in their order. */
type Run<Options> = (
  call: Call,
  texts: readonly string[],
  options: Options,
  output: Output,
) => Promise<Answer>

/** What commander calls for a command. */
type Action = (...given: unknown[]) => Promise<void>

/** A command that gives the running service an order and shows the answer, by a text of its own or as a table. */
export type Order = <Options = object>(run: Run<Options>, textOf?: (answer: Answer) => string) => Action

export const orderTo =
  (environment: Environment): Order =>
  (run, textOf = table) =>
  async (...given) => {
    const command = given.at(-1) as Command
    const texts = given.slice(0, -2).map(String)
    const output = outputOf(command)
    process.exitCode = await speaking(output, async () => {
      const call = callService(loadConfig(environment).storage.dataFolder)
      const answer = await run(call, texts, given.at(-2) as Parameters<typeof run>[2], output)
      output.result(answer, textOf(answer))
      const { status, lastError } = answer
      if (status === 'failed') throw new OrderFailed(typeof lastError === 'string' ? lastError : 'It failed.')
    })
  }

/** Says what went wrong; the exit code. */
const speaking = async (output: Output, run: () => Promise<void>): Promise<number> => {
  try {
    await run()
    return 0
  } catch (error) {
    if (error instanceof ConfigError) output.failure(error.mistakes)
    else if (error instanceof OrderFailed) output.failure([error.message])
    else throw error
    return 1
  }
}

/** One line for each field that has a value. */
const table = (answer: Answer): string => {
  const shown = Object.entries(answer).filter(([, value]) => value !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${shownValue(value)}`).join('\n')
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
