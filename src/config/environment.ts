import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Environment } from './config.ts'

/** The process environment, completed by a .env file in the working folder; a variable that is set by hand wins. */
export const readEnvironment = (processEnvironment: Environment, file = '.env'): Environment => {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return { ...parseEnv(text), ...processEnvironment }
}
