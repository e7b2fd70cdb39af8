import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { migrateKeyFile } from './key-file-schema.ts'

/** Busy only while another process (`vouchsafe vault rotate`) commits. */
const BUSY_TIMEOUT_MS = 1_000
/** Small, because every erasure empties the WAL before it is answered. */
const CHECKPOINT_PAGES = 1_000

/** The key file, opened so that a commit survives a power cut and what is deleted is overwritten. */
export const openKeyFile = (file: string): Database => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  const database = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    setAndVerify(database, 'journal_mode', 'WAL', 'wal')
    setAndVerify(database, 'synchronous', 'FULL', 2)
    setAndVerify(database, 'secure_delete', 'ON', 1)
    setAndVerify(database, 'temp_store', 'MEMORY', 2)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    migrateKeyFile(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const setAndVerify = (database: Database, pragma: string, value: string, expected: string | number): void => {
  database.pragma(`${pragma} = ${value}`)
  const actual = database.pragma(pragma, { simple: true })
  if (actual !== expected) throw new Error(`SQLite runs ${pragma}=${String(actual)} instead of ${value}`)
}
