/**
 * All CQL of the key store. The name of a keyspace cannot be a bound value, so it is checked before it becomes part of
 * a statement.
 */
export type KeyStatements = ReturnType<typeof keyStatements>

/**
 * Data keys are written with a fixed early timestamp and erased with a fixed later one: an erasure wins over every
 * insert of that record, whatever the clocks of the nodes say and however late the insert arrives. The word that a key
 * is gone is later than the deletion, which would take it along, and that of an erasure wins over that of a loss.
 */
const INSERTED = 1
const ERASED = 2
const LOST_WORD = 3
const ERASED_WORD = 4

/**
 * Cassandra's default. The bytes of an erased key go with the next garbagecollect, long before; the mark of the
 * deletion stays this long and keeps a node that was away from bringing the key back.
 */
const GC_GRACE_SECONDS = 864_000

/** All tenants are in one partition, so that one condition on its static column covers them all. */
export const TENANTS_SCOPE = 'tenants'

export const keyStatements = (name: string) => {
  const keyspace = checked(name)
  return {
    insertKey: `INSERT INTO ${keyspace}.data_keys (record, key_id, tenant, connection, parent_key_id, wrapped)
    VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ${INSERTED}`,
    readKeys: `SELECT gone, key_id, tenant, connection, parent_key_id, wrapped FROM ${keyspace}.data_keys WHERE record = ?`,
    readKeysOf: `SELECT record, gone, key_id, tenant, connection, parent_key_id, wrapped FROM ${keyspace}.data_keys WHERE record IN ?`,
    eraseKeys: `DELETE FROM ${keyspace}.data_keys USING TIMESTAMP ${ERASED} WHERE record = ?`,
    sayErased: `UPDATE ${keyspace}.data_keys USING TIMESTAMP ${ERASED_WORD} SET gone = 'erased' WHERE record = ?`,
    sayLost: `UPDATE ${keyspace}.data_keys USING TIMESTAMP ${LOST_WORD} SET gone = 'lost' WHERE record = ?`,

    readTenantKey: `SELECT tenant, master, wrapped FROM ${keyspace}.tenant_keys WHERE scope = ? AND tenant = ?`,
    listTenantKeys: `SELECT tenant, master, wrapped FROM ${keyspace}.tenant_keys WHERE scope = ? AND tenant > ? LIMIT ?`,
    insertTenantKey: `INSERT INTO ${keyspace}.tenant_keys (scope, tenant, master, wrapped) VALUES (?, ?, ?, ?) IF NOT EXISTS`,
    eraseTenantKey: `DELETE FROM ${keyspace}.tenant_keys WHERE scope = ? AND tenant = ? IF EXISTS`,
    rewrapTenantKey: `UPDATE ${keyspace}.tenant_keys SET master = ?, wrapped = ?
    WHERE scope = ? AND tenant = ? IF master = ? AND wrapped = ?`,
    /**
     * In one batch with either of the two above, from a key to itself, this keeps a rotation from coming in between.
     */
    changeCurrentMaster: `UPDATE ${keyspace}.tenant_keys SET current_master = ? WHERE scope = ? IF current_master = ?`,

    readCurrentMaster: `SELECT current_master FROM ${keyspace}.tenant_keys WHERE scope = ? LIMIT 1`,
    firstCurrentMaster: `UPDATE ${keyspace}.tenant_keys SET current_master = ? WHERE scope = ? IF current_master = null`,

    readMark: `SELECT id, count FROM ${keyspace}.tenant_keys WHERE scope = ? LIMIT 1`,
    firstMark: `UPDATE ${keyspace}.tenant_keys SET id = ?, count = ? WHERE scope = ? IF id = null`,
    changeMark: `UPDATE ${keyspace}.tenant_keys SET id = ?, count = ? WHERE scope = ? IF id = ? AND count = ?`,
  }
}

/**
 * Each statement may be repeated. `replication` is CQL, such as `{'class': 'SimpleStrategy', 'replication_factor': 3}`.
 */
export const keySchema = (keyspace: string, replication: string): readonly string[] => [
  `CREATE KEYSPACE IF NOT EXISTS ${checked(keyspace)} WITH replication = ${replication} AND durable_writes = true`,
  `CREATE TABLE IF NOT EXISTS ${keyspace}.data_keys (
    record text,
    gone text static,
    key_id text,
    tenant text,
    connection text,
    parent_key_id text,
    wrapped blob,
    PRIMARY KEY (record, key_id)
  ) WITH comment = 'Wrapped data keys; deleting one erases what it sealed'
    AND compaction = {'class': 'LeveledCompactionStrategy'}
    AND gc_grace_seconds = ${GC_GRACE_SECONDS}`,
  `CREATE TABLE IF NOT EXISTS ${keyspace}.tenant_keys (
    scope text,
    current_master text static,
    id text static,
    count bigint static,
    tenant text,
    master text,
    wrapped blob,
    PRIMARY KEY (scope, tenant)
  ) WITH comment = 'Wrapped tenant keys and the name of the master key for new ones'`,
]

const KEYSPACE = /^[a-z][a-z0-9_]{0,47}$/

const checked = (keyspace: string): string => {
  if (!KEYSPACE.test(keyspace)) throw new RangeError(`${keyspace} can't be the name of a keyspace`)
  return keyspace
}
