import type { Command } from 'commander'
import { type Config, ConfigError, type Environment, loadConfig } from '../config/config.ts'
import { action } from './action.ts'
import { type Check, broken, causeOf, type Finding } from './doctor/check.ts'
import { checks } from './doctor/checks.ts'

export type Diagnosis = { readonly name: string } & Finding

export const registerDoctor = (program: Command, environment: Environment): void => {
  program
    .command('doctor')
    .description('check this machine and its configuration, and say how to mend what is broken')
    .action(
      action(async (_, output) => {
        const found = await output.during('Everything is being looked at,', diagnose(environment, checks))
        const ok = found.every((diagnosis) => diagnosis.ok)
        output.result({ ok, checks: found }, table(found))
        return ok
      }),
    )
}

/** Runs every check that applies. With a wrong configuration the other checks still run, on the defaults. */
export const diagnose = async (
  environment: Environment,
  known: readonly Check[],
): Promise<readonly Diagnosis[]> => {
  const { config, mistakes } = configOrDefaults(environment)
  const wrong = mistakes.map((line) => ({
    name: 'configuration',
    ...broken(line, 'correct it in the environment or in .env; .env.example lists every setting'),
  }))
  const right: Diagnosis[] =
    mistakes.length === 0 ? [{ name: 'configuration', ok: true, detail: 'understood' }] : []
  const rest: Diagnosis[] = []
  for (const check of known.filter((it) => it.applies(config)))
    rest.push({ name: check.name, ...(await attempt(check, config)) })
  return [...wrong, ...right, ...rest]
}

const attempt = async (check: Check, config: Config): Promise<Finding> => {
  try {
    return await check.run(config)
  } catch (error) {
    return broken(`could not be checked (${causeOf(error)})`, 'please report this as a bug')
  }
}

const configOrDefaults = (environment: Environment): { config: Config; mistakes: readonly string[] } => {
  try {
    return { config: loadConfig(environment), mistakes: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: loadConfig({}), mistakes: error.mistakes }
  }
}

const table = (found: readonly Diagnosis[]): string => {
  const width = Math.max(...found.map(({ name }) => name.length))
  return found
    .flatMap((line) => {
      const first = `${line.ok ? 'ok  ' : 'FAIL'}  ${line.name.padEnd(width)}  ${line.detail}`
      return line.ok ? [first] : [first, `${' '.repeat(width + 8)}→ ${line.mend}`]
    })
    .join('\n')
}
