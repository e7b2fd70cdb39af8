import type { types } from 'cassandra-driver'
import { type CassandraSession, numberOf, type Statement, statement } from '../../cassandra/session.ts'
import type {
  DataKeyRow,
  Gone,
  KeyStore,
  KeyStoreMark,
  StoredKeys,
  TenantKeyInsert,
  TenantKeyRow,
} from '../key-store-port.ts'
import { type KeyStatements, keyStatements, TENANTS_SCOPE } from './key-statements.ts'

/** Keys in a keyspace apart from the journal. Closing it leaves the session open, which the journal uses too. */
export class CassandraKeyStore implements KeyStore {
  readonly rewrapsAtOnce = 1
  readonly #session: CassandraSession
  readonly #cql: KeyStatements

  constructor(session: CassandraSession, keyspace: string) {
    this.#session = session
    this.#cql = keyStatements(keyspace)
  }

  /**
   * The word of an erasure that was answered before is there for this read, and the write loses to it. So is each key whose
   * insert was answered before; of two that come at the same time each may miss the other.
   */
  async insertKey(key: DataKeyRow): Promise<StoredKeys> {
    const { record, keyId, tenant, connection, parentKeyId, wrapped } = key
    const [found] = await Promise.all([
      this.readKeys(record),
      this.#session.write([
        statement(this.#cql.insertKey, record, keyId, tenant, connection, parentKeyId, wrapped),
      ]),
    ])
    return typeof found === 'string' ? found : found.filter((other) => other.keyId !== keyId)
  }

  async readKeys(record: string): Promise<StoredKeys> {
    return storedKeys(record, await this.#session.read(statement(this.#cql.readKeys, record)))
  }

  async readKeysOf(records: readonly string[]): Promise<ReadonlyMap<string, StoredKeys>> {
    const rows = await this.#session.read(statement(this.#cql.readKeysOf, records))
    const byRecord = Map.groupBy(rows, (row) => row.get('record') as string)
    return new Map(records.map((record) => [record, storedKeys(record, byRecord.get(record) ?? [])]))
  }

  async eraseKeys(record: string): Promise<void> {
    await this.#session.write([
      statement(this.#cql.eraseKeys, record),
      statement(this.#cql.sayErased, record),
    ])
  }

  /** A commit log is Cassandra's own: docs/OPERATIONS.md says until when it holds what was deleted. */
  async cleanLog(): Promise<void> {}

  async markLost(record: string): Promise<void> {
    await this.#session.write([statement(this.#cql.sayLost, record)])
  }

  async readTenantKey(tenant: string): Promise<TenantKeyRow | null> {
    const [row] = await this.#session.readSerial(statement(this.#cql.readTenantKey, TENANTS_SCOPE, tenant))
    return row === undefined ? null : tenantKeyOf(row)
  }

  async insertTenantKey(key: TenantKeyRow): Promise<TenantKeyInsert> {
    const { tenant, master, wrapped } = key
    const insert = statement(this.#cql.insertTenantKey, TENANTS_SCOPE, tenant, master, wrapped)
    if (await this.#underMaster(master, insert)) return { is: 'written' }
    const existing = await this.readTenantKey(tenant)
    if (existing !== null) return { is: 'exists', key: existing }
    return { is: 'stale-master', current: await this.currentMaster() }
  }

  async eraseTenantKey(tenant: string): Promise<void> {
    await this.#session.applyIf([statement(this.#cql.eraseTenantKey, TENANTS_SCOPE, tenant)])
  }

  async listTenantKeys(after: string | null, limit: number): Promise<readonly TenantKeyRow[]> {
    const rows = await this.#session.readSerial(
      statement(this.#cql.listTenantKeys, TENANTS_SCOPE, after ?? '', limit),
    )
    return rows.map(tenantKeyOf)
  }

  rewrapTenantKey(from: TenantKeyRow, next: TenantKeyRow): Promise<boolean> {
    const { tenant, master, wrapped } = from
    return this.#underMaster(
      next.master,
      statement(this.#cql.rewrapTenantKey, next.master, next.wrapped, TENANTS_SCOPE, tenant, master, wrapped),
    )
  }

  async currentMaster(): Promise<string | null> {
    const [row] = await this.#session.readSerial(statement(this.#cql.readCurrentMaster, TENANTS_SCOPE))
    return (row?.get('current_master') as string | null | undefined) ?? null
  }

  async setCurrentMaster(expected: string | null, next: string): Promise<boolean> {
    const change =
      expected === null
        ? statement(this.#cql.firstCurrentMaster, next, TENANTS_SCOPE)
        : statement(this.#cql.changeCurrentMaster, next, TENANTS_SCOPE, expected)
    return (await this.#session.applyIf([change])).wasApplied()
  }

  async readMark(): Promise<KeyStoreMark | null> {
    const [row] = await this.#session.readSerial(statement(this.#cql.readMark, TENANTS_SCOPE))
    const id = row?.get('id') as string | null | undefined
    return id ? { id, count: numberOf(row?.get('count')) } : null
  }

  async setMark(expected: KeyStoreMark | null, { id, count }: KeyStoreMark): Promise<boolean> {
    const change =
      expected === null
        ? statement(this.#cql.firstMark, id, count, TENANTS_SCOPE)
        : statement(this.#cql.changeMark, id, count, TENANTS_SCOPE, expected.id, expected.count)
    return (await this.#session.applyIf([change])).wasApplied()
  }

  /** One conditional write for all keys since the last count, because one for each key would double its price. */
  async countedMark(): Promise<KeyStoreMark | null> {
    for (;;) {
      const mark = await this.readMark()
      if (mark === null) return null
      const next = { ...mark, count: mark.count + 1 }
      if (await this.setMark(mark, next)) return next
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Runs the change in one batch, and so in one partition, with the condition that the master key is still current. */
  async #underMaster(master: string, change: Statement): Promise<boolean> {
    const hold = statement(this.#cql.changeCurrentMaster, master, TENANTS_SCOPE, master)
    return (await this.#session.applyIf([change, hold])).wasApplied()
  }
}

const storedKeys = (record: string, rows: readonly types.Row[]): StoredKeys => {
  const gone = rows[0]?.get('gone') as Gone | null | undefined
  if (gone) return gone
  return rows.map((row) => ({
    record,
    keyId: row.get('key_id') as string,
    tenant: row.get('tenant') as string,
    connection: row.get('connection') as string | null,
    parentKeyId: row.get('parent_key_id') as string | null,
    wrapped: row.get('wrapped') as Buffer,
  }))
}

const tenantKeyOf = (row: types.Row): TenantKeyRow => ({
  tenant: row.get('tenant') as string,
  master: row.get('master') as string,
  wrapped: row.get('wrapped') as Buffer,
})
