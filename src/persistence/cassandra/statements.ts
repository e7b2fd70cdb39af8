/** Every statement of the journal in CQL. Tables are named without their keyspace, which the connection has. */

export type Replication = Readonly<Record<string, number>>

export const replicationOf = (copies: Replication): string => {
  const datacenters = Object.entries(copies).map(([datacenter, factor]) => `'${datacenter}': ${factor}`)
  return `{${["'class': 'NetworkTopologyStrategy'", ...datacenters].join(', ')}}`
}

export const createKeyspace = (keyspace: string, replication: string): string =>
  `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = ${replication}`

export const readKeyspace = 'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?'

export const createSchemaVersion =
  'CREATE TABLE IF NOT EXISTS schema_version (component text PRIMARY KEY, version int)'
export const readSchemaVersion = 'SELECT version FROM schema_version WHERE component = ?'
export const writeSchemaVersion = 'INSERT INTO schema_version (component, version) VALUES (?, ?)'

/**
 * What a node brings back does no harm, so the tombstones need not outlive a repair: a timer is stale, a body is not asked
 * for, events are before their snapshot, and a record that was gone means as much as none.
 */
const GC_GRACE_SECONDS = 10_800

/** Entry n brings version n to version n + 1. Never edited once released; each statement may be repeated. */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE IF NOT EXISTS shard_log (
       shard int, segment bigint, no bigint, epoch bigint, batch_id text, node text, events blob,
       retired boolean static,
       PRIMARY KEY ((shard, segment), no))`,
    'CREATE TABLE IF NOT EXISTS shard_segments (shard int PRIMARY KEY, first_segment bigint)',
    `CREATE TABLE IF NOT EXISTS shard_checkpoint (
       shard int PRIMARY KEY, copied_no bigint, published_no bigint, projected_no bigint, timer_ack_ms bigint)`,
    `CREATE TABLE IF NOT EXISTS actor_events (
       actor text, bucket bigint, seq bigint, events blob,
       PRIMARY KEY ((actor, bucket), seq))
     WITH gc_grace_seconds = ${GC_GRACE_SECONDS}`,
    `CREATE TABLE IF NOT EXISTS actor_snapshot (actor text PRIMARY KEY, seq bigint, data text)
     WITH gc_grace_seconds = ${GC_GRACE_SECONDS}`,
    `CREATE TABLE IF NOT EXISTS actors (
       shard int, bucket int, actor text,
       PRIMARY KEY ((shard, bucket), actor))
     WITH gc_grace_seconds = ${GC_GRACE_SECONDS}`,
    `CREATE TABLE IF NOT EXISTS timers (
       shard int, hour int, due_ms bigint, actor text, timer_id text,
       PRIMARY KEY ((shard, hour), due_ms, actor, timer_id))
     WITH gc_grace_seconds = ${GC_GRACE_SECONDS}
       AND compaction = {'class': 'LeveledCompactionStrategy'}`,
    `CREATE TABLE IF NOT EXISTS timer_hours (
       shard int, hour int,
       PRIMARY KEY (shard, hour))
     WITH gc_grace_seconds = ${GC_GRACE_SECONDS}`,
    'CREATE TABLE IF NOT EXISTS positions (reader text, shard int, no bigint, entry int, PRIMARY KEY ((reader, shard)))',
    `CREATE TABLE IF NOT EXISTS nodes (
       node text PRIMARY KEY, incarnation text, counter bigint, address text, link_address text, state text)`,
    'CREATE TABLE IF NOT EXISTS shard_map (one int PRIMARY KEY, version bigint, map text)',
    'CREATE TABLE IF NOT EXISTS shard_loads (node text PRIMARY KEY, loads text)',
    'CREATE TABLE IF NOT EXISTS key_store (one int PRIMARY KEY, id text, count bigint)',
    `CREATE TABLE IF NOT EXISTS bodies (
       record text, id text, body text,
       PRIMARY KEY (record, id))
     WITH gc_grace_seconds = ${GC_GRACE_SECONDS}
       AND compaction = {'class': 'LeveledCompactionStrategy'}`,
  ],
  ['ALTER TABLE nodes ADD IF NOT EXISTS reached text'],
]

/** Both run as one conditional batch: the slot is free and the segment is not retired, or nothing is written. */
export const insertSlot = `INSERT INTO shard_log (shard, segment, no, epoch, batch_id, node, events)
  VALUES (?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS`
export const requireNotRetired =
  'UPDATE shard_log SET retired = null WHERE shard = ? AND segment = ? IF retired = null'

export const readSlots = `SELECT no, epoch, batch_id, node, events FROM shard_log
  WHERE shard = ? AND segment = ? AND no >= ? LIMIT ?`
export const retireSegment =
  'UPDATE shard_log SET retired = true WHERE shard = ? AND segment = ? IF retired = null'
export const readRetired =
  'SELECT DISTINCT shard, segment, retired FROM shard_log WHERE shard = ? AND segment = ?'
export const deleteSlots =
  'DELETE FROM shard_log USING TIMESTAMP ? WHERE shard = ? AND segment = ? AND no >= 0'
export const readFirstSegment = 'SELECT first_segment FROM shard_segments WHERE shard = ?'
export const writeFirstSegment =
  'UPDATE shard_segments USING TIMESTAMP ? SET first_segment = ? WHERE shard = ?'

export const readCheckpoint =
  'SELECT copied_no, published_no, projected_no, timer_ack_ms FROM shard_checkpoint WHERE shard = ?'
export const writeCopiedNo = 'UPDATE shard_checkpoint USING TIMESTAMP ? SET copied_no = ? WHERE shard = ?'
export const writePublishedNo =
  'UPDATE shard_checkpoint USING TIMESTAMP ? SET published_no = ? WHERE shard = ?'
export const writeProjectedNo =
  'UPDATE shard_checkpoint USING TIMESTAMP ? SET projected_no = ? WHERE shard = ?'
export const writeTimerAck = 'UPDATE shard_checkpoint USING TIMESTAMP ? SET timer_ack_ms = ? WHERE shard = ?'

/** The write time is the slot of the run's last event: of two runs that begin alike, the longer one stays. */
export const insertEvents =
  'INSERT INTO actor_events (actor, bucket, seq, events) VALUES (?, ?, ?, ?) USING TIMESTAMP ?'
export const readEvents = 'SELECT seq, events FROM actor_events WHERE actor = ? AND bucket = ? AND seq > ?'
export const readAnyEvent = 'SELECT seq FROM actor_events WHERE actor = ? AND bucket = ? LIMIT 1'
export const writeSnapshot =
  'INSERT INTO actor_snapshot (actor, seq, data) VALUES (?, ?, ?) USING TIMESTAMP ?'
export const readSnapshot = 'SELECT seq, data FROM actor_snapshot WHERE actor = ?'
export const deleteEvents = 'DELETE FROM actor_events USING TIMESTAMP ? WHERE actor = ? AND bucket = ?'
export const deleteSnapshot = 'DELETE FROM actor_snapshot USING TIMESTAMP ? WHERE actor = ?'
export const deleteActor = 'DELETE FROM actors USING TIMESTAMP ? WHERE shard = ? AND bucket = ? AND actor = ?'
export const insertActor = 'INSERT INTO actors (shard, bucket, actor) VALUES (?, ?, ?) USING TIMESTAMP ?'
export const readActors = 'SELECT actor FROM actors WHERE shard = ? AND bucket = ? AND actor > ? LIMIT ?'

export const insertTimer =
  'INSERT INTO timers (shard, hour, due_ms, actor, timer_id) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?'
export const deleteTimer = `DELETE FROM timers USING TIMESTAMP ?
  WHERE shard = ? AND hour = ? AND due_ms = ? AND actor = ? AND timer_id = ?`
export const readTimers = `SELECT due_ms, actor, timer_id FROM timers
  WHERE shard = ? AND hour = ? AND (due_ms, actor, timer_id) > (?, ?, ?) AND (due_ms) < (?) LIMIT ?`
export const deleteTimersOfHour = 'DELETE FROM timers USING TIMESTAMP ? WHERE shard = ? AND hour = ?'
export const insertHour = 'INSERT INTO timer_hours (shard, hour) VALUES (?, ?) USING TIMESTAMP ?'
export const readHours = 'SELECT hour FROM timer_hours WHERE shard = ? AND hour >= ? AND hour <= ?'
export const deleteHour = 'DELETE FROM timer_hours USING TIMESTAMP ? WHERE shard = ? AND hour = ?'

export const writePosition =
  'UPDATE positions USING TIMESTAMP ? SET no = ?, entry = ? WHERE reader = ? AND shard = ?'
export const readPosition = 'SELECT no, entry FROM positions WHERE reader = ? AND shard = ?'

export const readNodes = 'SELECT node, incarnation, counter, address, link_address, state, reached FROM nodes'
export const insertNode = `INSERT INTO nodes (node, incarnation, counter, address, link_address, state, reached)
  VALUES (?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS`
export const replaceNode = `UPDATE nodes
  SET incarnation = ?, counter = ?, address = ?, link_address = ?, state = ?, reached = ?
  WHERE node = ? IF incarnation = ? AND counter = ? AND state = ?`

export const readMapVersion = 'SELECT version FROM shard_map WHERE one = 1'
export const readMap = 'SELECT version, map FROM shard_map WHERE one = 1'
export const insertMap = 'INSERT INTO shard_map (one, version, map) VALUES (1, ?, ?) IF NOT EXISTS'
export const replaceMap = 'UPDATE shard_map SET version = ?, map = ? WHERE one = 1 IF version = ?'

export const writeLoads = 'INSERT INTO shard_loads (node, loads) VALUES (?, ?) USING TTL ?'
export const readLoads = 'SELECT node, loads FROM shard_loads'

/** The count is the time of the write, so that an older one never replaces a newer one. */
export const recordKeyStore = 'INSERT INTO key_store (one, id, count) VALUES (1, ?, ?) USING TIMESTAMP ?'
export const readKeyStore = 'SELECT id, count FROM key_store WHERE one = 1'

/**
 * Written by whoever received it and deleted by the owner of its record: a deletion wins whatever their clocks say, because
 * its write time is later than any of theirs. It is for good; ids of bodies are given once.
 */
const BODY_DELETED = Date.UTC(2200, 0) * 1_000
export const writeBody = 'INSERT INTO bodies (record, id, body) VALUES (?, ?, ?) USING TTL ?'
export const readBody = 'SELECT body FROM bodies WHERE record = ? AND id = ?'
export const readBodyIds = 'SELECT id FROM bodies WHERE record = ?'
const deleteFromBodies = `DELETE FROM bodies USING TIMESTAMP ${BODY_DELETED} WHERE record = ?`
export const deleteBody = `${deleteFromBodies} AND id = ?`
export const deleteBodies = deleteFromBodies
export const deleteBodiesBefore = `${deleteFromBodies} AND id < ?`
export const deleteBodiesBetween = `${deleteFromBodies} AND id > ? AND id < ?`
export const deleteBodiesAfter = `${deleteFromBodies} AND id > ?`

/** Whole tables, for who counts them. */
export const readAllEvents = 'SELECT events FROM actor_events'
export const readAllSnapshots = 'SELECT actor, data FROM actor_snapshot'
export const readAllActors = 'SELECT actor FROM actors'

export const readSizes = `SELECT table_name, partitions_count, mean_partition_size FROM system.size_estimates
  WHERE keyspace_name = ?`
