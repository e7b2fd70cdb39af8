import { onTestFinished } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { Applied } from '../../src/ports/list-replicas.ts'
import { query } from './directory-rows.ts'

export const SHARDS = [0, 1, 2]

export type Node = { file: SqliteDirectory; readonly name: string }
export const node = (name: string): Node => {
  const file = new SqliteDirectory(':memory:', true)
  const made = { file, name }
  onTestFinished(() => made.file[Symbol.dispose]())
  return made
}

export const revOf = ({ file }: Node, shard: number): number =>
  file.replicated((replicas) => replicas.list()).find((state) => state.shard === shard)?.rev ?? 0

const isFilling = ({ file }: Node, shard: number): boolean =>
  file.replicated((replicas) => replicas.list()).some((state) => state.shard === shard && !state.isWhole)

/** One question and its answer, and what follows when histories parted. */
export const pull = (
  to: Node,
  from: Node,
  shards: readonly number[] = SHARDS,
  rows = 512,
): readonly Applied[] => {
  const wanted = shards.map((shard) => ({ shard, rev: revOf(to, shard), isFilling: isFilling(to, shard) }))
  const changes = from.file.replicated((replicas) => replicas.changesAfter(wanted, { rows, bytes: 65_536 }))
  if (changes === null) return []
  const applied = to.file.replicated((replicas) => replicas.apply(changes.bytes))
  for (const { shard, rev, outcome, to: back } of applied) {
    const keys =
      outcome === 'back' ? to.file.replicated((replicas) => replicas.inQuestion(shard, back)) : null
    if (keys !== null) {
      const bytes = from.file.replicated((replicas) => replicas.rowsOf(keys))
      to.file.replicated((replicas) => replicas.settle(shard, rev, back, keys, bytes))
    } else if (outcome === 'back' || outcome === 'anew')
      to.file.replicated((replicas) => replicas.fillAnew(shard, rev))
  }
  return applied
}

export const pullAll = (to: Node, from: Node): void => {
  for (let turn = 0; turn < 200; turn++) if (pull(to, from).length === 0) return
  throw new Error('two files do not become equal')
}

export const openTerm = ({ file }: Node, shard: number, epoch: number) =>
  file.replicated((replicas) => replicas.openTerms([{ shard, epoch }]))

/** Records of one place stand in the order in which their file has heard of them, so they are compared by their ids. */
export const contents = async ({ file }: Node) => {
  const lists = ['t1', 't2', 'operators'].flatMap((tenant) =>
    ['credential', 'tenant'].map((kind) => ({ tenant, kind })),
  )
  const pages = await Promise.all(lists.map((list) => file.list(query({ ...list, pageSize: 10_000 }))))
  const shown = pages.map(({ rows, total }) => ({
    total,
    rows: rows.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
  }))
  return [...shown, ...(await Promise.all(['t1', 't2', null].map((tenant) => countsIn(file, tenant))))]
}

const countsIn = async (file: SqliteDirectory, tenant: string | null) => {
  const lists = [{ kind: 'credential', waiting: ['offered', 'done'] }]
  const [counted] = await file.overview({ tenant, lists, fromHour: 0, toHour: 1_000, hoursEach: 1 })
  const { now, counts, oldest } = counted ?? { now: {}, counts: {}, oldest: null }
  return { now, counts, oldestAtMs: oldest?.createdAtMs ?? null }
}
