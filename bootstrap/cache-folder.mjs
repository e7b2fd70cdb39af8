// @ts-check
import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { causeOf, Failure } from './failure.mjs'

/** @param {string} folder */
const writable = (folder) => {
  mkdirSync(folder, { recursive: true })
  accessSync(folder, constants.W_OK | constants.X_OK)
  return folder
}

/**
 * Where what was fetched once is kept for every clone on this machine; a home that cannot be written sends it into the clone.
 * @param {Record<string, string | undefined>} environment
 */
export const cacheFolder = (environment = process.env) => {
  const chosen = environment.VOUCHSAFE_CACHE_FOLDER
  try {
    if (chosen) return writable(chosen)
  } catch (error) {
    throw new Failure(`VOUCHSAFE_CACHE_FOLDER names ${chosen}, and ${causeOf(error)}.`)
  }
  try {
    return writable(
      join(environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache'), 'vouchsafe'),
    )
  } catch {
    const fallback = fileURLToPath(new URL('../.cache/vouchsafe', import.meta.url))
    try {
      return writable(fallback)
    } catch (error) {
      throw new Failure(
        `Neither the home folder nor ${fallback} can be written, and ${causeOf(error)}, or name a folder in VOUCHSAFE_CACHE_FOLDER.`,
      )
    }
  }
}
