import { copyFileSync, rmSync } from 'node:fs'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { actorId } from '../../src/domain/references.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { epochOfRev } from '../../src/ports/list-replicas.ts'
import { rowOf } from './directory.ts'
import type { LocalCluster } from './local-cluster.ts'

const ROWS_AT_ONCE = 4_096
const AT_THE_LOG = { no: 0, index: 0 }

/**
 * So many connections more in the lists of all nodes, as if their owners had written them: straight into the file of the
 * node that stops last, which owns every shard then. They are older than every real one, so first pages show real ones.
 */
export const fillLists = async (
  cluster: LocalCluster,
  nodes: readonly number[],
  records: number,
): Promise<void> => {
  const [last = 1] = nodes
  for (const number of nodes.toReversed()) await cluster.cluster.stop(number)
  const file = cluster.lists(last)
  const directory = new SqliteDirectory(file, true)
  const epochs = new Map(
    directory
      .replicated((replicas) => replicas.list())
      .map(({ shard, rev }) => [shard, epochOfRev(rev)] as const),
  )
  for (let from = 0; from < records; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, records - from) }, (_, at) =>
      rowIn(cluster.tenant, from + at, records),
    )
    const written = directory.writeAll(
      [...Map.groupBy(rows, ({ shard }) => shard)].map(([shard, of]) => ({
        shard,
        rows: of.map(({ row }) => row),
        position: directory.positionOf(shard) ?? AT_THE_LOG,
        epoch: epochs.get(shard) ?? 0,
      })),
    )
    if (written.some(({ rev }) => rev === null)) throw new Error('the file takes no rows of its owner')
  }
  directory[Symbol.dispose]()
  for (const number of nodes) {
    if (number === last) continue
    for (const end of ['', '-wal', '-shm']) rmSync(`${cluster.lists(number)}${end}`, { force: true })
    copyFileSync(file, cluster.lists(number))
  }
  await cluster.start()
}

const rowIn = (
  tenant: string,
  number: number,
  records: number,
): { readonly shard: number; readonly row: DirectoryRow } => {
  const row = rowOf(tenant, number, records)
  const shard = Number.parseInt(row.id.slice(4, 6), 16)
  return { shard, row: { ...row, id: actorId('con', shard, `bench${number.toString(36).padStart(8, '0')}`) } }
}
