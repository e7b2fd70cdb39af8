import { closeSync, openSync } from 'node:fs'
import BetterSqlite3, { type Database } from 'better-sqlite3'

const VERSION = 4
const WITHOUT_HOURS = 3
const WITHOUT_REPLICAS = 2

/**
 * `scopes` are the lists: one for each tenant and kind. `newest` and `by_state` hold every column that a page is found
 * by, `facets` the same for each exact filter, and `counts` makes a total exact without counting. `finished` is what a
 * sweep finds its records by, so it has only those that no sweep has been through. What only a cluster needs is in
 * REPLICAS, and `rev` is null without one; `steps` is what HOURS are counted from.
 */
const TABLES = `
  CREATE TABLE scopes (
    scope INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (tenant, kind)
  ) STRICT;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY, scope INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL, id TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, external_id TEXT, search TEXT NOT NULL,
    filters TEXT NOT NULL, shard INTEGER, finished_ms INTEGER, rev INTEGER, steps TEXT,
    UNIQUE (scope, id)
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
 * `hours` has how many records came into each state in each hour (`steps` names them); each list has its own, and the list
 * of no organisation those of all together, with how many are in each state now under the hour -1. Earlier hours than the
 * one in `horizon` are counted no longer.
 */
const HOURS = `
  CREATE TABLE steps (step INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE hours (
    scope INTEGER NOT NULL, hour INTEGER NOT NULL, step INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (scope, hour, step)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE horizon (hour INTEGER NOT NULL) STRICT;
  INSERT INTO horizon (hour) VALUES (0);
`

/**
 * `changed` finds the rows of a shard in the order of their changes. `replicas` says up to which one the file has them,
 * `terms` with which change each owner began, `tombstones` which rows went (all of them after the change `floor`), and
 * `ended` which organisations are deleted, so that a row that comes late is not listed again.
 */
const REPLICAS = `
  CREATE INDEX changed ON records (shard, rev) WHERE rev IS NOT NULL;
  CREATE TABLE replicas (
    shard INTEGER PRIMARY KEY, rev INTEGER NOT NULL, floor INTEGER NOT NULL, filling INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE terms (
    shard INTEGER NOT NULL, epoch INTEGER NOT NULL, base INTEGER NOT NULL, PRIMARY KEY (shard, epoch)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tombstones (
    shard INTEGER NOT NULL, rev INTEGER NOT NULL, tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (shard, rev)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ended (tenant TEXT PRIMARY KEY, kept TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

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
      const version = database.pragma('user_version', { simple: true })
      if (version !== VERSION) makeTables(database, version, file)
      leaveOther(database, isReplica)
    })
    .immediate()
  emptyLog(database)
  // Only strangers read it beside us, and all lists would stand still while this thread waits for one.
  database.pragma('busy_timeout = 0')
  return database
}

/** When a record came into its states is counted when it is written next, or its list is rebuilt. */
const ADD_STEPS = 'ALTER TABLE records ADD COLUMN steps TEXT'

/** In which states the records are, is known of those that were written before. */
const COUNT_NOW = `
  INSERT INTO steps (name) SELECT DISTINCT state FROM counts;
  INSERT INTO scopes (tenant, kind) SELECT DISTINCT '', kind FROM scopes;
  INSERT INTO hours (scope, hour, step, records)
    SELECT everyone.scope, -1, step, sum(records)
    FROM counts JOIN steps ON name = state JOIN scopes AS list USING (scope)
      JOIN scopes AS everyone ON everyone.tenant = '' AND everyone.kind = list.kind
    GROUP BY everyone.scope, step;
`

const makeTables = (database: Database, version: unknown, file: string): void => {
  if (version === 0) database.exec(TABLES)
  else if (version === WITHOUT_REPLICAS || version === WITHOUT_HOURS) database.exec(ADD_STEPS)
  else throw new Error(`${file} was written by another release: move it away, and it is rebuilt`)
  if (version === WITHOUT_REPLICAS) database.exec('ALTER TABLE records ADD COLUMN rev INTEGER')
  if (version !== WITHOUT_HOURS) database.exec(REPLICAS)
  database.exec(HOURS)
  if (version !== 0) database.exec(COUNT_NOW)
  database.pragma(`user_version = ${VERSION}`)
}

/** The rows of a file that stood alone have no places among changes, and those of a replica are not kept up alone. */
const leaveOther = (database: Database, isReplica: boolean): void => {
  const has = (table: string): boolean =>
    database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined
  const isOther = isReplica ? has('positions') && !has('replicas') : has('replicas')
  if (!isOther) return
  const all = [
    'records',
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
