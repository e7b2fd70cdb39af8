import { readOperatorAccess } from '../compose/operator-access.ts'
import { ConfigError, type Environment, loadConfig } from '../config/config.ts'
import type { Output } from './output.ts'

export type Answer = Readonly<Record<string, unknown>>

/** Sends one order to the service that runs on this data folder. */
export type Call = (command: string, input: object) => Promise<Answer>

const TIMEOUT_MS = 60_000

/** A sentence for the operator. */
export class OrderFailed extends Error {}

/** Runs an order and speaks about how it went; the exit code. */
export const ordering = async (
  environment: Environment,
  output: Output,
  run: (call: Call) => Promise<void>,
): Promise<number> => {
  try {
    await run(operatorCall(loadConfig(environment).storage.dataFolder))
    return 0
  } catch (error) {
    if (error instanceof ConfigError) output.failure(error.mistakes)
    else if (error instanceof OrderFailed) output.failure([error.message])
    else throw error
    return 1
  }
}

export const operatorCall =
  (dataFolder: string): Call =>
  async (command, input) => {
    const access = readOperatorAccess(dataFolder)
    const away = `No service runs on ${dataFolder}: start it, or set VOUCHSAFE_DATA_FOLDER to the folder of the one that runs.`
    if (access === null) throw new OrderFailed(away)
    let response: Response
    try {
      response = await fetch(`${access.url}/operator`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${access.token}` },
        body: JSON.stringify({ command, input }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch {
      throw new OrderFailed(away)
    }
    const answer = (await response.json().catch(() => ({}))) as Answer
    if (response.ok) return answer
    const { reason } = answer
    throw new OrderFailed(typeof reason === 'string' ? reason : `The service answered ${response.status}.`)
  }
