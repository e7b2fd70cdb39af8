import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SecureKeys } from '../core/ports.ts'

const FILE = 'wallet.key'
/** What is being written, and stays behind where that is cut off. */
const NEXT = `${FILE}.next`
/** For the owner alone. */
const OWNER_ONLY = 0o600

/**
 * The key of a wallet in a file beside it. It keeps the database from those who get that alone, and from nobody who can
 * read the folder: an app on a desktop gives the key chain of its system instead.
 */
export const keyFiles: SecureKeys = {
  async read(folder) {
    try {
      return await readFile(join(folder, FILE))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  },

  /** Whole or not at all. */
  async write(folder, key) {
    const file = join(folder, FILE)
    await mkdir(dirname(file), { recursive: true })
    const nextFile = join(folder, NEXT)
    const next = await open(nextFile, 'w', OWNER_ONLY)
    try {
      await next.writeFile(key)
      await next.sync()
    } finally {
      await next.close()
    }
    await chmod(nextFile, OWNER_ONLY)
    await rename(nextFile, file)
  },

  async remove(folder) {
    for (const each of [NEXT, FILE]) await rm(join(folder, each), { force: true })
  },
}
