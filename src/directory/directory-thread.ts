// The directory's file and its lists in memory, in a thread of their own: a search through a million records takes
// tens of milliseconds, in which the front door must go on.
import { workerData } from 'node:worker_threads'
import type { ListQuery } from '../ports/directory.ts'
import type { FinishedQuery } from './finished-reader.ts'
import { type DirectoryWrite, SqliteDirectory } from './sqlite-directory.ts'
import type { ListedQuery, RecordsQuery } from './tenant-rows.ts'

let directory: SqliteDirectory | null = null

/** Opened by the first call, and tried again by the next one while the file cannot be opened. */
const opened = (): SqliteDirectory =>
  (directory ??= new SqliteDirectory((workerData as { readonly file: string }).file))

export const list = (query: ListQuery) => opened().list(query)
export const positionOf = (shard: number) => opened().positionOf(shard)
export const writeAll = (writes: readonly DirectoryWrite[]) => opened().writeAll(writes)
export const clear = () => opened().clear()

export const tenantsWithFinished = (shard: number) => opened().tenantsWithFinished(shard)
export const finishedBefore = (query: FinishedQuery) => opened().finishedBefore(query)
export const swept = (rows: readonly number[]) => opened().swept(rows)

export const listsOf = (tenant: string) => opened().listsOf(tenant)
export const recordsOf = (query: RecordsQuery) => opened().recordsOf(query)
export const listed = (query: ListedQuery) => opened().listed(query)
export const unlist = (rows: readonly number[]) => opened().unlist(rows)

export const close = (): void => {
  directory?.[Symbol.dispose]()
  directory = null
}
