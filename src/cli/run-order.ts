import { type Environment, loadConfig } from '../config/config.ts'
import { type Action, action } from './action.ts'
import type { Output } from './output.ts'
import { type Answer, type Call, callService } from './service-call.ts'

type Run<Input> = (call: Call, input: Input, output: Output) => Promise<Answer>

/** A command that gives the running service an order and shows the answer, by a text of its own or as a table. */
export type Order = <Input>(run: Run<Input>, textOf?: (answer: Answer) => string) => Action

export const orderTo =
  (environment: Environment): Order =>
  <Input>(run: Run<Input>, textOf = table) =>
    action<Input>(async (input, output) => {
      const service = callService(loadConfig(environment).storage.dataFolder)
      const call: Call = (...asked) => output.during('The service is at it,', service(...asked))
      const answer = await run(call, input, output)
      output.result(answer, textOf(answer))
      const { status, lastError } = answer
      if (status === 'failed') throw new Error(typeof lastError === 'string' ? lastError : 'It failed.')
    })

/** One line for each field that has a value. */
const table = (answer: Answer): string => {
  const shown = Object.entries(answer).filter(([, value]) => value !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${shownValue(value)}`).join('\n')
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
