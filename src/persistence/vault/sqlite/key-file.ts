import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { openPrepared } from '../../sqlite/database.ts'
import { migrate } from '../../sqlite/schema-version.ts'
import { keepTemporaryInMemory, setAndVerify } from '../../sqlite/verified-pragma.ts'

/** The file is only busy while another process (`vouchsafe vault rotate`) commits. */
const BUSY_TIMEOUT_MS = 1_000
/** 32 MB: with many records every creation touches another page, and a checkpoint per group would halve the rate. */
const CHECKPOINT_PAGES = 8_000

/**
 * Wrapped bytes stand in fixed slots of a table that is only appended to and overwritten in place. Deleting rows is not
 * enough, even with secure_delete: when SQLite moves rows between pages it can leave a stale copy in a page's unused
 * part, which a later delete does not reach (seen: 7 of 81,596 deleted keys; in slots none of 330,000).
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE wrapped_keys (slot INTEGER PRIMARY KEY, wrapped BLOB NOT NULL) STRICT;
  CREATE TABLE free_slots (slot INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE data_keys (
    record TEXT NOT NULL,
    key_id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    connection TEXT,
    parent_key_id TEXT,
    slot INTEGER NOT NULL,
    PRIMARY KEY (record, key_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tenant_keys (
    tenant TEXT PRIMARY KEY,
    master TEXT NOT NULL,
    slot INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE gone (record TEXT PRIMARY KEY, why TEXT NOT NULL CHECK (why IN ('erased', 'lost'))) STRICT, WITHOUT ROWID;
  CREATE TABLE mark (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, count INTEGER NOT NULL) STRICT;
  CREATE TABLE master (one INTEGER PRIMARY KEY CHECK (one = 1), current TEXT NOT NULL) STRICT;
  `,
]

/** Opens the key file so that a commit survives a power cut and deleted bytes are overwritten. */
export const openKeyFile = (file: string): Database => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  return openPrepared(file, { timeout: BUSY_TIMEOUT_MS }, (database) => {
    setAndVerify(database, 'journal_mode', 'WAL', 'wal')
    setAndVerify(database, 'synchronous', 'FULL', 2)
    setAndVerify(database, 'secure_delete', 'ON', 1)
    keepTemporaryInMemory(database)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    migrate(database, file, MIGRATIONS)
  })
}
