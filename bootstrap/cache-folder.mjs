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

/** @typedef {(folder: string) => boolean} IsWholeIn */

/** @param {string} folder @param {IsWholeIn} isWholeIn */
const usable = (folder, isWholeIn) => {
  try {
    return writable(folder)
  } catch (error) {
    // Where nothing is missing, nothing has to be written.
    if (isWholeIn(folder)) return folder
    throw error
  }
}

/**
 * Where what was fetched once is kept for every clone on this machine; a home that cannot be written sends it into the
 * clone, unless what is looked for is there already.
 * @param {Record<string, string | undefined>} environment
 * @param {IsWholeIn} isWholeIn whether a folder holds all that is looked for; asked only of one that cannot be written
 */
export const cacheFolder = (environment = process.env, isWholeIn = () => false) => {
  const chosen = environment.VOUCHSAFE_CACHE_FOLDER
  try {
    if (chosen) return usable(chosen, isWholeIn)
  } catch (error) {
    throw new Failure(`VOUCHSAFE_CACHE_FOLDER names ${chosen}, and ${causeOf(error)}.`)
  }
  const home = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache')
  try {
    return usable(join(home, 'vouchsafe'), isWholeIn)
  } catch {
    const fallback = fileURLToPath(new URL('../.cache/vouchsafe', import.meta.url))
    try {
      return usable(fallback, isWholeIn)
    } catch (error) {
      throw new Failure(
        `Neither the home folder nor ${fallback} can be written, and ${causeOf(error)}, or name a folder in VOUCHSAFE_CACHE_FOLDER.`,
      )
    }
  }
}
