import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SecureKeys } from '../core/ports.ts'

const FILE = 'wallet.key'
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
    const next = await open(`${file}.next`, 'w', OWNER_ONLY)
    try {
      await next.writeFile(key)
      await next.sync()
    } finally {
      await next.close()
    }
    await chmod(`${file}.next`, OWNER_ONLY)
    await rename(`${file}.next`, file)
  },

  async remove(folder) {
    await rm(join(folder, FILE), { force: true })
  },
}
