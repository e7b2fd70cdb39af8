import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/**
 * Only one process may use a data folder. SQLite's own file lock is used because the operating system releases it when
 * the process dies, however it dies; a file with a process id in it would be guesswork.
 */
export const lockDataFolder = (folder: string): Disposable => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(folder, 'folder.lock'))
  if (lock === null)
    throw new Error(`Another process is already running on the data folder ${folder}: stop it first.`)
  return lock
}

/** Null while another process holds the lock. */
export const takeLock = (file: string): Disposable | null => {
  const lock = new BetterSqlite3(file, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
  return { [Symbol.dispose]: () => lock.close() }
}

const isBusy = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
