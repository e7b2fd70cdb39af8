import { closeSync, openSync } from 'node:fs'
import BetterSqlite3, { type Database } from 'better-sqlite3'

const VERSION = 2

/**
 * `scopes` are the lists: one for each tenant and kind. `newest` and `by_state` hold every column that a page is found
 * by, `facets` the same for each exact filter, and `counts` makes a total exact without counting. `finished` is what a
 * sweep finds its records by, so it has only those that no sweep has been through.
 */
const TABLES = `
  CREATE TABLE scopes (
    scope INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (tenant, kind)
  ) STRICT;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY, scope INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL, id TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, external_id TEXT, search TEXT NOT NULL,
    filters TEXT NOT NULL, shard INTEGER, finished_ms INTEGER, UNIQUE (scope, id)
  ) STRICT;
  CREATE INDEX newest ON records (scope, place, seq, state);
  CREATE INDEX by_state ON records (scope, state, place);
  CREATE INDEX finished ON records (shard, scope, finished_ms) WHERE finished_ms IS NOT NULL;
  CREATE TABLE facets (
    scope INTEGER NOT NULL, facet TEXT NOT NULL, place INTEGER NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (scope, facet, place, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE counts (
    scope INTEGER NOT NULL, state TEXT NOT NULL, day INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (scope, state, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE positions (
    shard INTEGER PRIMARY KEY, no INTEGER NOT NULL, entry INTEGER NOT NULL
  ) STRICT;
`

/**
 * Opens the file, and makes its tables when it is new. Everything in it can be rebuilt from the actors of the journal,
 * so the loss of the last second in a crash costs only the reading of that second.
 */
export const openTables = (file: string): Database => {
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  const database = new BetterSqlite3(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('secure_delete = ON')
  database.pragma('cache_size = -65536')
  database
    .transaction(() => {
      const version = database.pragma('user_version', { simple: true })
      if (version === VERSION) return
      if (version !== 0)
        throw new Error(`${file} was written by another release: move it away, and it is rebuilt`)
      database.exec(TABLES)
      database.pragma(`user_version = ${VERSION}`)
    })
    .immediate()
  emptyLog(database)
  // Only strangers read it beside us, and all lists would stand still while this thread waits for one.
  database.pragma('busy_timeout = 0')
  return database
}

/** Moves what stands in the write-ahead log into the file: older versions of its pages are gone then. */
export const emptyLog = (database: Database): void => {
  const [moved] = database.pragma('wal_checkpoint(TRUNCATE)') as readonly { readonly busy: number }[]
  if (moved?.busy === 1) throw new Error('the log of the lists is being read')
}
