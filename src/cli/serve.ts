import type { Command } from 'commander'
import { type App, startApp } from '../app.ts'
import type { OpenService } from '../compose/service.ts'
import { type Config, ConfigError, type Environment, loadConfig } from '../config/config.ts'
import { warnings } from '../config/contradictions.ts'
import { firstSignal } from './first-signal.ts'
import { createOutput, type Output, outputOf } from './output.ts'

export const registerServe = (program: Command, environment: Environment): void => {
  program
    .command('serve')
    .description('run the service until a signal stops it')
    .action(async (_options, command: Command) => {
      process.exit(await serve(environment, outputOf(command)))
    })
}

/** Runs the service until a signal stops it; resolves with the exit code. */
export const serve = async (
  environment: Environment,
  output: Output = createOutput(false),
  open?: OpenService,
): Promise<number> => {
  let config: Config
  try {
    config = loadConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    output.failure(error.mistakes)
    return 1
  }
  const stopped = firstSignal()
  try {
    const app = await startApp(config, open)
    for (const line of [...warnings(config), ...app.notes]) output.note(line)
    output.note(`Vouchsafe listens on ${app.url} (metrics: ${app.privateUrl}/metrics). Ctrl+C stops it.`)
    return await stopOn(stopped, app)
  } catch (error) {
    output.failure([`Vouchsafe could not start: ${error instanceof Error ? error.message : String(error)}`])
    return 1
  }
}

const stopOn = async (signal: Promise<void>, app: App): Promise<number> => {
  process.on('uncaughtException', (error) => {
    app.log('service.crashed', { error })
    app.log.flush()
    process.exit(1)
  })
  await signal
  return (await app.stop()) ? 0 : 1
}
