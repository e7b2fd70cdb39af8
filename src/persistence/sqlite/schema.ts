import type { Database } from 'better-sqlite3'

/** Entry n brings a file of version n to version n + 1. Never edited once released, only added to. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE actors (
    id INTEGER PRIMARY KEY,
    shard INTEGER NOT NULL,
    name TEXT NOT NULL,
    last_event INTEGER,
    last_seq INTEGER NOT NULL,
    UNIQUE (shard, name)
  ) STRICT;
  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    actor INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    previous INTEGER,
    command_id TEXT,
    data TEXT NOT NULL
  ) STRICT;
  CREATE TABLE flushed (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    until_event INTEGER NOT NULL,
    until_slot INTEGER NOT NULL
  ) STRICT;
  INSERT INTO flushed (only, until_event, until_slot) VALUES (1, 0, 0);
  CREATE TABLE slots (
    id INTEGER PRIMARY KEY,
    shard INTEGER NOT NULL,
    no INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    batch_id TEXT NOT NULL,
    node TEXT,
    first_event INTEGER NOT NULL,
    last_event INTEGER NOT NULL,
    shape TEXT
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

export const SCHEMA_VERSION = MIGRATIONS.length

export const migrate = (database: Database, file: string): void => {
  const version = readVersion(database)
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `${file} has schema version ${version}, this release knows up to ${SCHEMA_VERSION}: start the newer release`,
    )
  }
  if (version === SCHEMA_VERSION) return
  const upgrade = database.transaction(() => {
    for (const statements of MIGRATIONS.slice(version)) database.exec(statements)
    database.pragma(`user_version = ${SCHEMA_VERSION}`)
  })
  upgrade.immediate()
}

const readVersion = (database: Database): number => Number(database.pragma('user_version', { simple: true }))
