import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openForReading, openForWriting } from '../../../src/persistence/sqlite/database.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { journalIn, openJournal } from './parts/temporary-journal.ts'

/** What SQLite has opened in the system's temporary folder, where rows are too many for the memory that they may have. */
const temporaryFilesOf = (database: Database): readonly string[] => {
  const before = openFiles()
  database.exec('CREATE TEMP TABLE pile (text TEXT)')
  database.pragma('temp.cache_size = 10')
  database.exec(`INSERT INTO pile WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n LIMIT 500)
    SELECT hex(randomblob(500)) FROM n`)
  return openFiles().filter((file) => file.endsWith('(deleted)') && !before.includes(file))
}

/** The names of those that were deleted too. */
const openFiles = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)]
    } catch {
      return []
    }
  })

describe('a connection to the journal file', () => {
  it('syncs every commit, also when the file is opened again', () => {
    const folder = temporaryFolder('database')
    openJournal(folder).close()
    const again = openJournal(folder)
    expect(again.pragma('synchronous', { simple: true })).toBe(2)
    expect(again.pragma('journal_mode', { simple: true })).toBe('wal')
  })

  it('has large pages, and moves the WAL into the file after 32 MB of them', () => {
    const database = openJournal()
    const pageBytes = Number(database.pragma('page_size', { simple: true }))
    expect(pageBytes).toBe(16_384)
    expect(Number(database.pragma('wal_autocheckpoint', { simple: true })) * pageBytes).toBeCloseTo(32e6, -5)
  })

  it('for reading sees commits and cannot write', () => {
    const writing = openJournal()
    const reading = openForReading(writing.name)
    writing.exec('INSERT INTO shards (shard) VALUES (3)')
    expect(reading.prepare('SELECT shard FROM shards').pluck().all()).toEqual([3])
    expect(() => reading.exec('DELETE FROM shards')).toThrow('readonly')
    reading.close()
  })

  it('has an SQLite in which moving the log by a second connection is safe', () => {
    const version = String(openJournal().prepare('SELECT sqlite_version()').pluck().get())
    // Before 3.51.3 a checkpoint beside a writer that begins the log anew could damage the file.
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    expect(major * 1_000_000 + minor * 1_000 + patch).toBeGreaterThanOrEqual(3_051_003)
  })

  it('leaves nothing in temporary files, as a usual one does, whether it writes or reads', () => {
    const usual = new BetterSqlite3(join(temporaryFolder('database'), 'usual.db'))
    expect(temporaryFilesOf(usual)).toHaveLength(1)
    usual.close()
    const writing = openJournal()
    const reading = openForReading(writing.name)
    expect([writing, reading].flatMap(temporaryFilesOf)).toEqual([])
    reading.close()
  })

  it('for reading makes no file', () => {
    expect(() => openForReading(journalIn(temporaryFolder('database')))).toThrow('unable to open')
  })

  it('is not left open over a file that is no database', () => {
    const file = journalIn(temporaryFolder('database'))
    writeFileSync(file, 'no database, but long enough to be read as the header of one: '.repeat(20))
    expect(() => openForWriting(file)).toThrow('file is not a database')
  })
})
