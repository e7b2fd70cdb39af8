import type { Database } from 'better-sqlite3'

/** Before the first release the layout was another one, and no data of it is anywhere to be kept. */
const FIRST_VERSION = 2

/**
 * `slots` has the rows of slots in the order in which they were written, and with them every event; the first row of a
 * slot has its number, those after it have none (`rest` counts them). `slot-rows.ts` reads what they hold. `flushed`
 * says up to which row `actors` and `slot_index` are written back.
 *
 * Entry n brings a file of version FIRST_VERSION + n - 1 to the next, entry 0 an empty file. Once released only added
 * to.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE actors (
    id INTEGER PRIMARY KEY,
    shard INTEGER NOT NULL,
    name TEXT NOT NULL,
    last_row INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    UNIQUE (shard, name)
  ) STRICT;
  CREATE TABLE flushed (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    heads_until INTEGER NOT NULL,
    index_until INTEGER NOT NULL
  ) STRICT;
  INSERT INTO flushed (only, heads_until, index_until) VALUES (1, 0, 0);
  CREATE TABLE slots (
    id INTEGER PRIMARY KEY,
    shard INTEGER,
    no INTEGER,
    epoch INTEGER,
    rest INTEGER NOT NULL,
    layout BLOB NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE slot_index (
    shard INTEGER NOT NULL,
    no INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    PRIMARY KEY (shard, no)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE shards (
    shard INTEGER PRIMARY KEY,
    first_segment INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER,
    copied_no INTEGER,
    published_no INTEGER,
    projected_no INTEGER,
    timer_ack_ms INTEGER
  ) STRICT;
  CREATE TABLE snapshots (
    actor INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE TABLE timers (
    shard INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    actor TEXT NOT NULL,
    timer_id TEXT NOT NULL,
    set_no INTEGER NOT NULL,
    PRIMARY KEY (shard, due_ms, actor, timer_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE positions (
    reader TEXT NOT NULL,
    shard INTEGER NOT NULL,
    no INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (reader, shard)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE bodies (
    id TEXT PRIMARY KEY,
    expires_ms INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX bodies_by_expiry ON bodies (expires_ms);
  `,
]

export const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length - 1

export const migrate = (database: Database, file: string): void => {
  const version = readVersion(database)
  if (version === SCHEMA_VERSION) return
  if (version !== 0 && (version < FIRST_VERSION || version > SCHEMA_VERSION))
    throw anotherLayout(version, file)
  const upgrade = database.transaction(() => {
    const done = version === 0 ? 0 : version - FIRST_VERSION + 1
    for (const statements of MIGRATIONS.slice(done)) database.exec(statements)
    database.pragma(`user_version = ${SCHEMA_VERSION}`)
  })
  upgrade.immediate()
}

/** Who only reads cannot bring a file up to date. */
export const refuseOtherLayout = (database: Database, file: string): void => {
  const version = readVersion(database)
  if (version !== SCHEMA_VERSION) throw anotherLayout(version, file)
}

const anotherLayout = (version: number, file: string): Error => {
  const said = `${file} has schema version ${version}, this release`
  if (version > SCHEMA_VERSION)
    return new Error(`${said} knows up to ${SCHEMA_VERSION}: start the newer release`)
  if (version >= FIRST_VERSION)
    return new Error(`${said} reads ${SCHEMA_VERSION}: start the service on it once`)
  return new Error(
    `${said} reads ${SCHEMA_VERSION}: the file was written before the first release and cannot be taken over. Move it away or set VOUCHSAFE_DATA_FOLDER to an empty folder`,
  )
}

const readVersion = (database: Database): number => Number(database.pragma('user_version', { simple: true }))
