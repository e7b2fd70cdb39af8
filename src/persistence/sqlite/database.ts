import BetterSqlite3, { type Database, type Options } from 'better-sqlite3'
import { migrate, requireNewest } from './schema-version.ts'
import { journalMigrations } from './tables.ts'
import { keepTemporaryInMemory, setAndVerify } from './verified-pragma.ts'

/** The log is only appended to: large pages cost a quarter of the system calls of usual ones, and hardly more bytes. */
const PAGE_BYTES = 16_384
/** The size of the WAL at which the writer moves it into the main file, where the log mover did not: the restart stays short. */
const CHECKPOINT_BYTES = 32_000_000
const INCREMENTAL = 2
const CACHE_KIB = 65_536
const BUSY_TIMEOUT_MS = 5_000

/** Closes the file again when it cannot be used in the way that `prepare` wants. */
export const openPrepared = (
  file: string,
  options: Options,
  prepare: (database: Database) => void,
): Database => {
  const database = new BetterSqlite3(file, options)
  try {
    prepare(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

export const openForWriting = (file: string): Database =>
  openPrepared(file, { timeout: BUSY_TIMEOUT_MS }, (database) => {
    // Both take effect on a new file only. What is deleted is written over, and can be given back in small steps.
    database.pragma(`page_size = ${PAGE_BYTES}`)
    // Saying it to a file that has it already would write into the file.
    if (database.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL)
      database.pragma('auto_vacuum = INCREMENTAL')
    setAndVerify(database, 'journal_mode', 'WAL', 'wal')
    // Without this a reopened WAL database runs synchronous=NORMAL, which loses commits at a power cut.
    setAndVerify(database, 'synchronous', 'FULL', 2)
    keepTemporaryInMemory(database)
    const pageBytes = Number(database.pragma('page_size', { simple: true }))
    database.pragma(`wal_autocheckpoint = ${Math.floor(CHECKPOINT_BYTES / pageBytes)}`)
    database.pragma(`cache_size = ${-CACHE_KIB}`)
    migrate(database, file, journalMigrations)
  })

export const openForReading = (file: string): Database =>
  openPrepared(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }, (database) => {
    database.pragma(`cache_size = ${-CACHE_KIB}`)
    keepTemporaryInMemory(database)
    requireNewest(database, file, journalMigrations)
  })
