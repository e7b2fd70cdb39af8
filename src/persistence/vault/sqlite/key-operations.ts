import type { Database } from 'better-sqlite3'
import { DataKeyTable } from './key-table.ts'
import { MarkRow } from './mark-row.ts'
import type { KeyStoreMark } from '../key-store-port.ts'
import type { PortableDataKey, PortableTenantKey } from './portable-keys.ts'
import { TenantKeyTable } from './tenant-table.ts'

export type KeyOperations = ReturnType<typeof prepareKeyOperations>

/** The methods of the store on one connection, each inside the transaction of its group. */
export const prepareKeyOperations = (database: Database) => {
  const keys = new DataKeyTable(database)
  const tenants = new TenantKeyTable(database)
  const mark = new MarkRow(database)
  let hasWritten = false
  /** What a backup from before would lack. */
  const counted =
    <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
    (...args: Args): Result => {
      hasWritten = true
      return write(...args)
    }
  return {
    insertKey: counted((key: PortableDataKey) => keys.insert(key)),
    readKeys: (record: string) => keys.read(record),
    eraseKeys: counted((record: string) => keys.erase(record)),
    markLost: counted((record: string) => keys.markLost(record)),
    readTenantKey: (tenant: string) => tenants.read(tenant),
    insertTenantKey: counted((key: PortableTenantKey) => tenants.insert(key)),
    eraseTenantKey: counted((tenant: string) => tenants.erase(tenant)),
    listTenantKeys: (after: string | null, limit: number) => tenants.list(after, limit),
    rewrapTenantKey: counted((from: PortableTenantKey, next: PortableTenantKey) =>
      tenants.rewrap(from, next),
    ),
    currentMaster: () => tenants.current(),
    setCurrentMaster: (expected: string | null, next: string) => tenants.setCurrent(expected, next),
    /** What it is for happens after the commit. */
    cleanLog: (): void => {},
    readMark: () => mark.read(),
    setMark: (expected: KeyStoreMark | null, next: KeyStoreMark) => mark.set(expected, next),
    /** Every group of writes was counted in its own transaction. */
    countedMark: () => mark.read(),
    /** The thread itself calls this one; it is not reached by messages. */
    beforeCommit: (): void => {
      if (hasWritten) mark.raise()
      hasWritten = false
    },
  }
}

/** After these calls the file's log still holds pages with the old bytes. */
export const leavesOldBytes = (method: string): boolean =>
  ['eraseKeys', 'eraseTenantKey', 'rewrapTenantKey', 'cleanLog'].includes(method)

/** It counts as done only when the log holds none. */
export const wantsCleanLog = (method: string): boolean => method === 'cleanLog'

export const onlyReads = (method: string): boolean =>
  ['readKeys', 'readTenantKey', 'listTenantKeys', 'currentMaster', 'readMark', 'countedMark'].includes(method)
