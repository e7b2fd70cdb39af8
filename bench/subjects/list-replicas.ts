// Two ways to lists of a cluster, with the production files: every node has all rows, or each has its own and is asked.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DirectoryRow, ListQuery } from '../../src/ports/directory.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { percentile } from '../harness/statistics.ts'
import { BIG_TENANT, rowOf } from './directory.ts'

const SHARDS = 256
const EPOCH = 1
const POSITION = { no: 1, index: 0 }

const query: ListQuery = {
  tenant: BIG_TENANT,
  kind: 'connection',
  page: 1,
  pageSize: 25,
  q: null,
  states: [],
  externalId: null,
  fromMs: null,
  toMs: null,
  filters: {},
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const openAll = (directory: SqliteDirectory): void => {
  const terms = Array.from({ length: SHARDS }, (_, shard) => ({ shard, epoch: EPOCH }))
  directory.replicated((replicas) => replicas.openTerms(terms))
}

const write = (directory: SqliteDirectory, rows: readonly DirectoryRow[], isOwner: boolean): void => {
  const shards = Map.groupBy(rows, ({ id }) => Number.parseInt(id.slice(4, 6), 16))
  directory.writeAll(
    [...shards].map(([shard, of]) => ({
      shard,
      rows: of,
      position: POSITION,
      ...(isOwner && { epoch: EPOCH }),
    })),
  )
}

const revsOf = (directory: SqliteDirectory): ReadonlyMap<number, number> =>
  new Map(directory.replicated((replicas) => replicas.list()).map(({ shard, rev }) => [shard, rev]))

/** Asks until nothing is left, as nodes do that know which shards have changed; answers with what it took. */
const follow = (from: SqliteDirectory, to: SqliteDirectory) => {
  const took = { readMs: 0, applyMs: 0, bytes: 0 }
  const there = revsOf(from)
  for (;;) {
    const held = revsOf(to)
    const wanted = [...there]
      .filter(([shard, rev]) => held.get(shard) !== rev)
      .map(([shard]) => ({ shard, rev: held.get(shard) ?? 0 }))
    if (wanted.length === 0) return took
    const startedMs = cpuMs()
    const changes = from.replicated((replicas) => replicas.changesAfter(wanted))
    if (changes === null) throw new Error('the owner has nothing to say')
    const applyMs = cpuMs()
    took.readMs += applyMs - startedMs
    to.replicated((replicas) => replicas.apply(changes.bytes))
    took.applyMs += cpuMs() - applyMs
    took.bytes += changes.bytes.length
  }
}

const bytesOf = (file: string): number => {
  const database = new SqliteDirectory(file, file.includes('replica'))
  database[Symbol.dispose]()
  return statSync(file).size
}

const fill = (file: string, isReplica: boolean, records: number, of: (number: number) => boolean): number => {
  const directory = new SqliteDirectory(file, isReplica)
  if (isReplica) openAll(directory)
  const startedMs = cpuMs()
  let written = 0
  for (let from = 0; from < records; from += 4_096) {
    const numbers = Array.from({ length: Math.min(4_096, records - from) }, (_, at) => from + at).filter(of)
    write(
      directory,
      numbers.map((number) => rowOf(BIG_TENANT, number, records)),
      isReplica,
    )
    written += numbers.length
  }
  const us = ((cpuMs() - startedMs) * 1_000) / written
  directory[Symbol.dispose]()
  return us
}

/** The file of a node that has owned all shards. */
export function fillOwner(file: string, records: number): void {
  fill(file, true, records, () => true)
}

const fileIn = (folder: string, name: string): string => join(folder, `${name}.sqlite`)

/** Processor time of a row that is written for the first time, where other nodes follow and on a node that is alone. */
export const fillOwners = (folder: string, records: number) => ({
  first_write_us: fill(fileIn(folder, 'replica-owner'), true, records, () => true),
  alone_first_write_us: fill(fileIn(folder, 'alone'), false, records, () => true),
})

/** A node whose file is empty takes all rows from another. */
export function fillCopy(folder: string, records: number) {
  const owner = new SqliteDirectory(fileIn(folder, 'replica-owner'), true)
  const copy = new SqliteDirectory(fileIn(folder, 'replica-copy'), true)
  const startedMs = performance.now()
  const { readMs, applyMs, bytes } = follow(owner, copy)
  const fillS = (performance.now() - startedMs) / 1_000
  for (const each of [owner, copy]) each[Symbol.dispose]()
  return {
    fill_cpu_us: ((readMs + applyMs) * 1_000) / records,
    fill_wire_bytes: bytes / records,
    fill_s: fillS,
    file_bytes_per_row: bytesOf(fileIn(folder, 'replica-copy')) / records,
    alone_file_bytes_per_row: bytesOf(fileIn(folder, 'alone')) / records,
  }
}

/** Rows as they change while the cluster issues: a few at a time, each of some shard; then pages of the copy. */
export async function measureChanges(folder: string, records: number, changes: number, atOnce: number) {
  const owner = new SqliteDirectory(fileIn(folder, 'replica-owner'), true)
  const copy = new SqliteDirectory(fileIn(folder, 'replica-copy'), true)
  const alone = new SqliteDirectory(fileIn(folder, 'alone'))
  const took = { ownerMs: 0, aloneMs: 0, readMs: 0, applyMs: 0, bytes: 0 }
  for (let done = 0; done < changes; done += atOnce) {
    const rows = Array.from({ length: atOnce }, (_, at) => ({
      ...rowOf(BIG_TENANT, ((done + at) * 7_919) % records, records),
      state: `state-${(done + at) % 3}`,
      updatedAtMs: done,
    }))
    const beforeMs = cpuMs()
    write(owner, rows, true)
    const betweenMs = cpuMs()
    write(alone, rows, false)
    took.aloneMs += cpuMs() - betweenMs
    took.ownerMs += betweenMs - beforeMs
    const { readMs, applyMs, bytes } = follow(owner, copy)
    took.readMs += readMs
    took.applyMs += applyMs
    took.bytes += bytes
  }
  const pages = await pagesOf([copy], records)
  for (const each of [owner, copy, alone]) each[Symbol.dispose]()
  const us = (ms: number): number => (ms * 1_000) / changes
  return {
    owner_row_us: us(took.ownerMs),
    alone_row_us: us(took.aloneMs),
    read_row_us: us(took.readMs),
    apply_row_us: us(took.applyMs),
    row_wire_bytes: took.bytes / changes,
    ...pages,
  }
}

const partsIn = (folder: string) => [0, 1, 2].map((part) => fileIn(folder, `part-${part}`))

/** A third of the rows on each of three nodes: the processor time of one part is what a lost node's successors have to do. */
export function fillParts(folder: string, records: number): number {
  const startedMs = cpuMs()
  for (const [part, file] of partsIn(folder).entries())
    fill(file, false, records, (number) => number % 3 === part)
  return (cpuMs() - startedMs) / 3
}

/** A page is merged from those of all parts. */
export async function measureMerge(folder: string, records: number) {
  const parts = partsIn(folder).map((file) => new SqliteDirectory(file))
  const pages = await pagesOf(parts, records)
  for (const each of parts) each[Symbol.dispose]()
  return pages
}

/** As on nodes of their own: the slowest part, and the merge. Processor time is that of all. */
const pagesOf = async (parts: readonly SqliteDirectory[], records: number) => {
  const measure = async (page: number, times: number) => {
    const took: number[] = []
    const cpu: number[] = []
    for (let time = 0; time < times; time++) {
      const beganMs = cpuMs()
      const pageSize = parts.length === 1 ? query.pageSize : page * query.pageSize
      const each: number[] = []
      const rows: DirectoryRow[] = []
      for (const part of parts) {
        const startedMs = performance.now()
        const at = parts.length === 1 ? page : 1
        rows.push(...(await part.list({ ...query, page: at, pageSize })).rows)
        each.push(performance.now() - startedMs)
      }
      const mergeMs = performance.now()
      if (parts.length > 1)
        rows.sort((one, other) => other.createdAtMs - one.createdAtMs).slice((page - 1) * query.pageSize)
      took.push(Math.max(...each) + performance.now() - mergeMs)
      cpu.push(cpuMs() - beganMs)
    }
    return { ms: percentile(took, 50), cpu: percentile(cpu, 50) }
  }
  const first = await measure(1, 41)
  const deep = await measure(Math.min(20_000, Math.ceil(records / 50)), parts.length === 1 ? 11 : 3)
  return {
    first_page_ms: first.ms,
    first_page_cpu_ms: first.cpu,
    deep_page_ms: deep.ms,
    deep_page_cpu_ms: deep.cpu,
  }
}

export { measureLists } from './list-cluster.ts'
