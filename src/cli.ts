import { readFileSync } from 'node:fs'
import { vouchsafeProgram } from './cli/program.ts'
import { readEnvironment } from './config/environment.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
// What a command writes is for its own user, whatever the shell that started it allows.
process.umask(0o077)

await vouchsafeProgram(readEnvironment(process.env), version).parseAsync()
