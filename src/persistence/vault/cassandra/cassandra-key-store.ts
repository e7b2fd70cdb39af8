import { type Client, types } from 'cassandra-driver'
import { StoreFailure } from '../../store-port.ts'
import type { DataKeyRow, KeyStore, TenantKeyInsert, TenantKeyRow } from '../key-store-port.ts'
import { type KeyStatements, keyStatements, TENANTS_SCOPE } from './key-statements.ts'

export type CassandraKeyStoreOptions = {
  /** Stays open when the store is closed: the journal uses it too. */
  readonly client: Client
  readonly keyspace: string
  /** Ask the nodes of the local datacenter alone. */
  readonly local: boolean
}

/** Keys in a keyspace of their own. */
export class CassandraKeyStore implements KeyStore {
  readonly rewrapsAtOnce = 1
  readonly #client: Client
  readonly #cql: KeyStatements
  readonly #consistency: types.consistencies
  readonly #serial: types.consistencies

  constructor({ client, keyspace, local }: CassandraKeyStoreOptions) {
    this.#client = client
    this.#cql = keyStatements(keyspace)
    this.#consistency = local ? types.consistencies.localQuorum : types.consistencies.quorum
    this.#serial = local ? types.consistencies.localSerial : types.consistencies.serial
  }

  async insertKey(key: DataKeyRow): Promise<void> {
    const { record, keyId, tenant, connection, parentKeyId, wrapped } = key
    await this.#run(this.#cql.insertKey, [record, keyId, tenant, connection, parentKeyId, wrapped])
  }

  async readKeys(record: string): Promise<readonly DataKeyRow[]> {
    const { rows } = await this.#run(this.#cql.readKeys, [record])
    return rows.map((row) => ({
      record,
      keyId: row.get('key_id') as string,
      tenant: row.get('tenant') as string,
      connection: row.get('connection') as string | null,
      parentKeyId: row.get('parent_key_id') as string | null,
      wrapped: row.get('wrapped') as Buffer,
    }))
  }

  async eraseKeys(record: string): Promise<void> {
    await this.#run(this.#cql.eraseKeys, [record])
  }

  async readTenantKey(tenant: string): Promise<TenantKeyRow | null> {
    const { rows } = await this.#read(this.#cql.readTenantKey, [TENANTS_SCOPE, tenant])
    return rows[0] === undefined ? null : tenantKeyOf(rows[0])
  }

  async insertTenantKey(key: TenantKeyRow): Promise<TenantKeyInsert> {
    const insert = {
      query: this.#cql.insertTenantKey,
      params: [TENANTS_SCOPE, key.tenant, key.master, key.wrapped],
    }
    if (await this.#underMaster(key.master, insert)) return { is: 'written' }
    const existing = await this.readTenantKey(key.tenant)
    if (existing !== null) return { is: 'exists', key: existing }
    return { is: 'stale-master', current: await this.currentMaster() }
  }

  async listTenantKeys(after: string | null, limit: number): Promise<readonly TenantKeyRow[]> {
    const { rows } = await this.#read(this.#cql.listTenantKeys, [TENANTS_SCOPE, after ?? '', limit])
    return rows.map(tenantKeyOf)
  }

  rewrapTenantKey(from: TenantKeyRow, next: TenantKeyRow): Promise<boolean> {
    const { tenant, master, wrapped } = from
    return this.#underMaster(next.master, {
      query: this.#cql.rewrapTenantKey,
      params: [next.master, next.wrapped, TENANTS_SCOPE, tenant, master, wrapped],
    })
  }

  async currentMaster(): Promise<string | null> {
    const { rows } = await this.#read(this.#cql.readCurrentMaster, [TENANTS_SCOPE])
    return (rows[0]?.get('current_master') as string | null | undefined) ?? null
  }

  async setCurrentMaster(expected: string | null, next: string): Promise<boolean> {
    const result =
      expected === null
        ? await this.#conditional(this.#cql.firstCurrentMaster, [next, TENANTS_SCOPE])
        : await this.#conditional(this.#cql.holdCurrentMaster, [next, TENANTS_SCOPE, expected])
    return result.wasApplied()
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** One batch in one partition: the change and the condition that the master key is still the current one. */
  async #underMaster(master: string, change: { query: string; params: unknown[] }): Promise<boolean> {
    const hold = { query: this.#cql.holdCurrentMaster, params: [master, TENANTS_SCOPE, master] }
    const result = await translated(
      this.#client.batch([change, hold], {
        prepare: true,
        logged: false,
        consistency: this.#consistency,
        serialConsistency: this.#serial,
      }),
    )
    return result.wasApplied()
  }

  /** Repeatable without harm, so the driver may repeat it on another node. */
  #run(query: string, params: unknown[]): Promise<types.ResultSet> {
    return translated(
      this.#client.execute(query, params, {
        prepare: true,
        isIdempotent: true,
        consistency: this.#consistency,
      }),
    )
  }

  /** Sees also a conditional write whose answer was lost. */
  #read(query: string, params: unknown[]): Promise<types.ResultSet> {
    return translated(
      this.#client.execute(query, params, { prepare: true, isIdempotent: true, consistency: this.#serial }),
    )
  }

  #conditional(query: string, params: unknown[]): Promise<types.ResultSet> {
    return translated(
      this.#client.execute(query, params, {
        prepare: true,
        consistency: this.#consistency,
        serialConsistency: this.#serial,
      }),
    )
  }
}

const tenantKeyOf = (row: types.Row): TenantKeyRow => ({
  tenant: row.get('tenant') as string,
  master: row.get('master') as string,
  wrapped: row.get('wrapped') as Buffer,
})

/** Every call is idempotent, so there is no harm in calling each failure's outcome unknown. */
const translated = async (result: Promise<types.ResultSet>): Promise<types.ResultSet> => {
  try {
    return await result
  } catch (error) {
    throw new StoreFailure('unknown', 'Cassandra did not answer the key store as asked', { cause: error })
  }
}
