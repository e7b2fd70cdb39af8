import type { Database } from 'better-sqlite3'

/**
 * Entry n brings a file of version n to version n + 1; never edited once released.
 *
 * Wrapped bytes stand in fixed slots of a table that is only appended to and overwritten in place. Deleting rows is
 * not enough, even with secure_delete: when SQLite moves rows between pages it can leave a stale copy in a page's
 * unused part, which a later delete does not reach (measured: about 1 in 20,000 deleted keys).
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
  CREATE TABLE master (one INTEGER PRIMARY KEY CHECK (one = 1), current TEXT NOT NULL) STRICT;
  `,
]

export const migrateKeyFile = (database: Database, file: string): void => {
  const upgrade = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }))
    if (version > MIGRATIONS.length)
      throw new Error(`${file} was written by a newer release (schema ${version}): start that release`)
    for (const statements of MIGRATIONS.slice(version)) database.exec(statements)
    database.pragma(`user_version = ${MIGRATIONS.length}`)
  })
  upgrade.immediate()
}
