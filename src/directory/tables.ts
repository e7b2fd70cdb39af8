import { closeSync, openSync } from 'node:fs'
import BetterSqlite3, { type Database } from 'better-sqlite3'

/** Of the tables below; a file with another one is emptied, and its rows are handed to whoever opens it. */
const VERSION = 1

/**
 * `scopes` are the lists: one for each tenant and kind. `newest` and `by_state` hold all that a page has to be found by,
 * `facets` the same for each exact filter, `counts` what makes a total exact without counting.
 */
const TABLES = `
  CREATE TABLE scopes (
    scope INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (tenant, kind)
  ) STRICT;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY, scope INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL, id TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, external_id TEXT, search TEXT NOT NULL,
    filters TEXT NOT NULL, UNIQUE (scope, id)
  ) STRICT;
  CREATE INDEX newest ON records (scope, place, seq, state);
  CREATE INDEX by_state ON records (scope, state, place);
  CREATE TABLE facets (
    scope INTEGER NOT NULL, facet TEXT NOT NULL, place INTEGER NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (scope, facet, place, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE counts (
    scope INTEGER NOT NULL, state TEXT NOT NULL, day INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (scope, state, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS positions (
    shard INTEGER PRIMARY KEY, no INTEGER NOT NULL, entry INTEGER NOT NULL
  ) STRICT;
`

/** Rows as they were kept before there were versions. */
export type FormerRow = {
  readonly kind: string
  readonly id: string
  readonly tenant: string
  readonly created_ms: number
  readonly updated_ms: number
  readonly state: string
  readonly external_id: string | null
  readonly search: string
  readonly filters: string
}

/** Everything in the file can be made again from the journal's actors, so a lost second costs nothing but that second. */
export const openTables = (
  file: string,
): { readonly database: Database; readonly former: readonly FormerRow[] } => {
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  const database = new BetterSqlite3(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('secure_delete = ON')
  database.pragma('cache_size = -65536')
  let former: readonly FormerRow[] = []
  database
    .transaction(() => {
      if (database.pragma('user_version', { simple: true }) === VERSION) return
      former = takeFormer(database)
      database.exec(TABLES)
      database.pragma(`user_version = ${VERSION}`)
    })
    .immediate()
  return { database, former }
}

const takeFormer = (database: Database): readonly FormerRow[] => {
  const kept = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'records'").get() !== undefined
  const rows = kept ? database.prepare<[], FormerRow>('SELECT * FROM records').all() : []
  database.exec('DROP TABLE IF EXISTS records')
  return rows
}
