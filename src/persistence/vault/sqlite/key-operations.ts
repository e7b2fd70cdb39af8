import type { Database } from 'better-sqlite3'
import { DataKeyTable } from './key-table.ts'
import type { PortableDataKey, PortableTenantKey } from './portable-keys.ts'
import { TenantKeyTable } from './tenant-table.ts'

export type KeyOperations = ReturnType<typeof prepareKeyOperations>

/** The methods of the store on one connection, each inside the transaction of its group. */
export const prepareKeyOperations = (database: Database) => {
  const keys = new DataKeyTable(database)
  const tenants = new TenantKeyTable(database)
  return {
    insertKey: (key: PortableDataKey) => keys.insert(key),
    readKeys: (record: string) => keys.read(record),
    eraseKeys: (record: string) => keys.erase(record),
    readTenantKey: (tenant: string) => tenants.read(tenant),
    insertTenantKey: (key: PortableTenantKey) => tenants.insert(key),
    listTenantKeys: (after: string | null, limit: number) => tenants.list(after, limit),
    rewrapTenantKey: (from: PortableTenantKey, next: PortableTenantKey) => tenants.rewrap(from, next),
    currentMaster: () => tenants.current(),
    setCurrentMaster: (expected: string | null, next: string) => tenants.setCurrent(expected, next),
  }
}

/** After these calls the file's log still holds pages with the old bytes. */
export const leavesOldBytes = (method: string): boolean =>
  method === 'eraseKeys' || method === 'rewrapTenantKey'

export const onlyReads = (method: string): boolean =>
  ['readKeys', 'readTenantKey', 'listTenantKeys', 'currentMaster'].includes(method)
