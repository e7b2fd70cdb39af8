import { closeSync, openSync } from 'node:fs'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { makeTables, rewriteMoved } from './tables-by-release.ts'

/**
 * Opens the file, and makes its tables when it is new. Everything in it can be rebuilt from the actors of the journal,
 * so the loss of the last second in a crash costs only the reading of that second.
 */
export const openTables = (file: string, isReplica = false): Database => {
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  const database = new BetterSqlite3(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('secure_delete = ON')
  // Otherwise sorting would leave rows in files of the system's temporary folder, which no erasure reaches.
  database.pragma('temp_store = MEMORY')
  database.pragma('cache_size = -65536')
  database
    .transaction(() => {
      makeTables(database, file)
      leaveOther(database, isReplica)
    })
    .immediate()
  rewriteMoved(database)
  emptyLog(database)
  // Only strangers read it beside us, and all lists would stand still while this thread waits for one.
  database.pragma('busy_timeout = 0')
  return database
}

/** The rows of a file that stood alone have no places among changes, and those of a replica are not kept up alone. */
const leaveOther = (database: Database, isReplica: boolean): void => {
  const has = (table: string): boolean =>
    database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined
  const isOther = isReplica ? has('positions') && !has('replicas') : has('replicas')
  if (!isOther) return
  const all = [
    'records',
    'texts',
    'free_texts',
    'facets',
    'counts',
    'hours',
    'scopes',
    'positions',
    'replicas',
    'terms',
    'tombstones',
    'ended',
  ]
  for (const table of all) database.exec(`DELETE FROM ${table}`)
}

/** Moves what stands in the write-ahead log into the file: older versions of its pages are gone then. */
export const emptyLog = (database: Database): void => {
  const [moved] = database.pragma('wal_checkpoint(TRUNCATE)') as readonly { readonly busy: number }[]
  if (moved?.busy === 1) throw new Error('the log of the lists is being read')
}
