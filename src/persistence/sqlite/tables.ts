/** The tables of the journal file; `slot-file/README.md` draws how those of the log hang together. */
export const journalMigrations: readonly string[] = [
  `
  CREATE TABLE actors (
    id INTEGER PRIMARY KEY,
    shard INTEGER NOT NULL,
    name TEXT NOT NULL,
    last_row INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    folded_seq INTEGER NOT NULL DEFAULT 0,
    UNIQUE (shard, name)
  ) STRICT;
  CREATE TABLE flushed (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    heads_until INTEGER NOT NULL,
    index_until INTEGER NOT NULL,
    actors_until INTEGER NOT NULL,
    rows_swept INTEGER NOT NULL,
    events_forgotten INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO flushed (only, heads_until, index_until, actors_until, rows_swept) VALUES (1, 0, 0, 0, 0);
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
  CREATE TABLE key_store (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, count INTEGER NOT NULL) STRICT;
  `,
]
