import { cpSync, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Client } from 'cassandra-driver'
import { FileMasterKeys } from '../../src/persistence/vault/file-master-keys.ts'
import { deriveKey } from '../../src/persistence/vault/key-crypto.ts'
import type { DataKeyRow, TenantKeyRow } from '../../src/persistence/vault/key-store-port.ts'
import { unwrapDataKey } from '../../src/persistence/vault/key-vault.ts'
import { unwrapTenantKey } from '../../src/persistence/vault/master-key-use.ts'
import { RecordKey } from '../../src/persistence/vault/record-key.ts'
import { TenantKey } from '../../src/persistence/vault/tenant-keys.ts'
import { type Place, standingIn } from './places.ts'

/** Wrapped keys as a key store has them, or had them at an earlier moment. */
export type KeyRows = { readonly tenants: readonly TenantKeyRow[]; readonly records: readonly DataKeyRow[] }

/** The keys themselves. */
export type OpenKeys = {
  readonly records: readonly { readonly record: string; readonly keyId: string; readonly sealing: Buffer }[]
  readonly tenants: readonly { readonly tenant: string; readonly root: Buffer }[]
}

/** Reads a copy, because opening a file of SQLite may change its log. */
export const keyRowsOfFile = (file: string, copyTo: string): KeyRows => {
  const copy = join(copyTo, basename(file))
  for (const end of ['', '-wal']) if (existsSync(file + end)) cpSync(file + end, copy + end)
  const database = new BetterSqlite3(copy, { fileMustExist: true })
  try {
    return {
      tenants: database
        .prepare<[], TenantKeyRow>(
          'SELECT tenant, master, wrapped FROM tenant_keys JOIN wrapped_keys USING (slot)',
        )
        .all(),
      records: database
        .prepare<[], DataKeyRow>(
          `SELECT record, key_id AS keyId, tenant, connection, parent_key_id AS parentKeyId, wrapped
           FROM data_keys JOIN wrapped_keys USING (slot)`,
        )
        .all(),
    }
  } finally {
    database.close()
  }
}

export const keyRowsOfCassandra = async (client: Client, keyspace: string): Promise<KeyRows> => {
  const rowsOf = async (query: string) =>
    (await client.execute(query, [], { autoPage: true })).rows as unknown as readonly Record<
      string,
      unknown
    >[]
  const records = await rowsOf(
    `SELECT record, key_id AS "keyId", tenant, connection, parent_key_id AS "parentKeyId", wrapped FROM ${keyspace}.data_keys`,
  )
  const tenants = await rowsOf(`SELECT tenant, master, wrapped FROM ${keyspace}.tenant_keys`)
  // A row may have nothing but the word of what became of its key.
  const isKey = (row: Readonly<Record<string, unknown>>): boolean => Buffer.isBuffer(row['wrapped'])
  return {
    tenants: tenants.filter(isKey) as unknown as readonly TenantKeyRow[],
    records: records.filter(isKey) as unknown as readonly DataKeyRow[],
  }
}

/**
 * Opens what the master keys of the file open, and what hangs below: organisations, connections, records. A row of an
 * earlier moment counts as long as its wrapped bytes stand anywhere in the places.
 */
export const openKeys = async (
  keyFile: string,
  rows: readonly KeyRows[],
  places: readonly Place[],
): Promise<OpenKeys> => {
  const everyTenant = once(rows.flatMap((each) => each.tenants))
  const everyRecord = once(rows.flatMap((each) => each.records))
  const onDisk = standingIn(
    places,
    [...everyTenant, ...everyRecord].map(({ wrapped }) => wrapped),
  )
  const isOnDisk = ({ wrapped }: { readonly wrapped: Buffer }): boolean => onDisk.has(wrapped)
  const masters = new FileMasterKeys(keyFile)
  const tenants = new Map<string, TenantKey>()
  const roots: { readonly tenant: string; readonly root: Buffer }[] = []
  for (const row of everyTenant.filter(isOnDisk)) {
    const root = await unwrapTenantKey(masters, row)
    tenants.set(row.tenant, new TenantKey(row.tenant, root))
    roots.push({ tenant: row.tenant, root })
  }
  const records = everyRecord.filter(isOnDisk)
  const open = new Map<DataKeyRow, Buffer>()
  const tops = records.filter(({ connection }) => connection === null)
  const topOf = new Map<string, DataKeyRow>()
  for (const row of tops) {
    topOf.set(`${row.record} ${row.keyId}`, row)
    const above = tenants.get(row.tenant)
    const root = above === undefined ? null : unwrapDataKey(above, row)
    if (root !== null) open.set(row, root)
  }
  for (const row of records.filter(({ connection }) => connection !== null)) {
    const above = topOf.get(`${row.connection} ${row.parentKeyId}`)
    const root = above === undefined ? undefined : open.get(above)
    if (above === undefined || root === undefined) continue
    const key = new RecordKey(above.record, row.tenant, null, [{ id: above.keyId, root, sealing: null }])
    const own = unwrapDataKey(key, row)
    if (own !== null) open.set(row, own)
  }
  return {
    tenants: roots,
    records: [...open].map(([{ record, keyId }, root]) => ({
      record,
      keyId,
      sealing: deriveKey(root, 'seal'),
    })),
  }
}

/** The same bytes were read at several moments. */
const once = <Row extends { readonly wrapped: Buffer }>(rows: readonly Row[]): readonly Row[] => [
  ...new Map(rows.map((row) => [row.wrapped.toString('latin1'), row])).values(),
]
