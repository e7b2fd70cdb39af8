import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ConsoleFiles } from './http/routes/console.ts'

const folder = fileURLToPath(new URL('../console/dist/', import.meta.url))

/** The console as it was built and committed: the service starts without a build. */
export const readConsoleFiles = (): ConsoleFiles =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(`${folder}${name}`, 'utf8')]))
