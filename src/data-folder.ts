import { chmodSync, type Dirent, mkdirSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** A file or folder that could not be closed, or not be looked into. */
export type LeftOpen = (left: { readonly file: string; readonly error: unknown }) => void

/**
 * Makes the folder, and closes to other users what an earlier start or a copy left open. The key file is left as it is:
 * one that others could read is refused, because they may have read it. What belongs to another user is reported.
 */
export const prepareDataFolder = (folder: string, keyFile: string, leftOpen: LeftOpen): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeFiles(folder, resolve(keyFile), leftOpen)
}

const closeFiles = (folder: string, except: string, leftOpen: LeftOpen): void => {
  for (const entry of entriesOf(folder, leftOpen)) {
    const file = resolve(folder, entry.name)
    // Links are not followed: what is behind them is not of this folder.
    if (entry.isDirectory()) closeFiles(file, except, leftOpen)
    if (entry.isFile() && file !== except) closeFile(file, leftOpen)
  }
}

const entriesOf = (folder: string, leftOpen: LeftOpen): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    leftOpen({ file: folder, error })
    return []
  }
}

const closeFile = (file: string, leftOpen: LeftOpen): void => {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat !== undefined && (stat.mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch (error) {
    // One that is gone by now was another process's draft.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') leftOpen({ file, error })
  }
}
