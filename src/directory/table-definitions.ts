/**
 * `scopes` are the lists: one for each tenant and kind. `newest` and `by_state` hold every column that a page is found
 * by, `facets` the same for each exact filter, and `counts` makes a total exact without counting. `finished` is what a
 * sweep finds its records by, so it has only those that no sweep has been through. What only a cluster needs is in
 * REPLICAS, and `rev` is null without one; `steps` is what HOURS are counted from.
 */
export const TABLES = `
  CREATE TABLE scopes (
    scope INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (tenant, kind)
  ) STRICT;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY, scope INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL, id TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, external_id TEXT, search TEXT NOT NULL,
    filters TEXT NOT NULL, shard INTEGER, finished_ms INTEGER, rev INTEGER, steps TEXT, text_slot INTEGER,
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
export const HOURS = `
  CREATE TABLE steps (step INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE hours (
    scope INTEGER NOT NULL, hour INTEGER NOT NULL, step INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (scope, hour, step)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE horizon (hour INTEGER NOT NULL) STRICT;
  INSERT INTO horizon (hour) VALUES (0);
`

/** What `slotted-texts.ts` says of them. A row that has its text in a slot has none in `search`. */
export const SLOTS = `
  CREATE TABLE texts (slot INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE free_texts (
    room INTEGER NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (room, slot)
  ) STRICT, WITHOUT ROWID;
`

/**
 * `changed` finds the rows of a shard in the order of their changes. `replicas` says up to which one the file has them,
 * `terms` with which change each owner began, `tombstones` which rows went (all of them after the change `floor`), and
 * `ended` which organisations are deleted, so that a row that comes late is not listed again.
 */
export const REPLICAS = `
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
