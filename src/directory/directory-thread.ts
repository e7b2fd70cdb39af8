// The directory's file and its lists in memory, in a thread of their own: a search through a million records takes
// tens of milliseconds, in which the front door must go on.
import { workerData } from 'node:worker_threads'
import type { ListQuery } from '../ports/directory.ts'
import type { DueQuery, OverviewQuery } from '../ports/list-overview.ts'
import type { FinishedQuery } from './finished-reader.ts'
import { type DirectoryWrite, SqliteDirectory } from './sqlite-directory.ts'
import type { ReplicaFile, RowsAtOwner, ShardRev, WantedChanges } from '../ports/list-replicas.ts'
import type { ListedQuery, RecordsQuery } from './tenant-rows.ts'

const opening = workerData as { readonly file: string; readonly isReplica: boolean }
let directory: SqliteDirectory | null = null

/** Opened by the first call, and tried again by the next one while the file cannot be opened. */
const opened = (): SqliteDirectory => (directory ??= new SqliteDirectory(opening.file, opening.isReplica))

export const list = (query: ListQuery) => opened().list(query)
export const overview = (query: OverviewQuery) => opened().overview(query)
export const due = (query: DueQuery) => opened().due(query)
export const forgetHours = (before: number) => opened().forgetHours(before)
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

type Input<Name extends keyof ReplicaFile> = Parameters<ReplicaFile[Name]>[0]

export const states = () => opened().replicated((replicas) => replicas.list())
export const changesAfter = (wanted: readonly WantedChanges[]) =>
  opened().replicated((replicas) => replicas.changesAfter(wanted))
export const apply = (bytes: Uint8Array) => opened().replicated((replicas) => replicas.apply(bytes))
export const inQuestion = ({ shard, to }: Input<'inQuestion'>) =>
  opened().replicated((replicas) => replicas.inQuestion(shard, to))
export const rowsOf = ({ keys }: Input<'rowsOf'>) => opened().replicated((replicas) => replicas.rowsOf(keys))
export const settle = ({ shard, rev, to, keys, bytes }: Input<'settle'>) =>
  opened().replicated((replicas) => replicas.settle(shard, rev, to, keys, bytes))
export const fillAnew = ({ shard, rev }: ShardRev) =>
  opened().replicated((replicas) => replicas.fillAnew(shard, rev))
export const overwrite = (erased: RowsAtOwner): void => {
  opened().replicated((replicas) => replicas.overwrite(erased))
  opened().clear()
}
export const openTerms = (terms: Input<'openTerms'>) =>
  opened().replicated((replicas) => replicas.openTerms(terms))
export const unlistKeys = ({ shard, epoch, keys }: Input<'unlistKeys'>) =>
  opened().replicated((replicas) => replicas.unlistKeys(shard, epoch, keys))
export const keysOfRecord = ({ shard, recordId }: Input<'keysOfRecord'>) =>
  opened().replicated((replicas) => replicas.keysOfRecord(shard, recordId))
export const keysOf = (rows: readonly number[]) => opened().replicated((replicas) => replicas.keysOf(rows))
export const sweptIn = ({ rows, epochs }: Input<'sweptIn'>) =>
  opened().replicated((replicas) => replicas.sweptIn(rows, epochs))

export const close = (): void => {
  directory?.[Symbol.dispose]()
  directory = null
}
