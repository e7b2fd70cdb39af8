import { existsSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { prepareSizes } from '../../src/persistence/sqlite/sizes.ts'

export type StoredBytes = {
  readonly total: number
  readonly parts: Readonly<Record<string, number>>
  /** The fewest segments of the log that one of the shards has retired. */
  readonly retiredMin: number
}

/** What is in the folder of a service: the pages in use of every file that lasts, and of the journal what is in them. */
export const storedIn = (folder: string, shards: readonly number[]): StoredBytes => {
  const parts: Record<string, number> = {}
  let [total, retiredMin] = [0, Number.POSITIVE_INFINITY]
  for (const name of ['journal.db', 'directory.sqlite', 'vault/keys.sqlite']) {
    if (!existsSync(join(folder, name))) continue
    const database = new BetterSqlite3(join(folder, name), { readonly: true })
    const pragma = (of: string): number => Number(database.pragma(of, { simple: true }))
    const pageBytes = pragma('page_size')
    parts[name] = (pragma('page_count') - pragma('freelist_count')) * pageBytes
    total += parts[name]
    if (name === 'journal.db') {
      retiredMin = Math.min(...shards.map((shard) => firstSegmentOf(database, shard)))
      for (const { what, kind, bytes } of prepareSizes(database)()) {
        parts[`${what} ${kind ?? ''}`.trim()] = bytes
        if (what === 'bodies') total += bytes
      }
    }
    database.close()
  }
  return { total, parts, retiredMin }
}

/** Exchanges that had finished before that time, and that retention has still to look at. */
export const unsweptIn = (folder: string, beforeMs: number): number => {
  const database = new BetterSqlite3(join(folder, 'directory.sqlite'), { readonly: true })
  const unswept = database
    .prepare('SELECT count(*) FROM records WHERE finished_ms <= ?')
    .pluck()
    .get(beforeMs)
  database.close()
  return Number(unswept)
}

const firstSegmentOf = (database: Database, shard: number): number =>
  database.prepare<[number], number>('SELECT first_segment FROM shards WHERE shard = ?').pluck().get(shard) ??
  0
