import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Makes the folder, and closes to other users what an earlier start or a copy left open. The key file is left as it is:
 * one that others could read is refused, because they may have read it.
 */
export const prepareDataFolder = (folder: string, keyFile: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const place of [folder, join(folder, 'vault')]) closeFiles(place, resolve(keyFile))
}

const closeFiles = (folder: string, except: string): void => {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = resolve(folder, entry.name)
    if (entry.isFile() && file !== except && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  }
}
