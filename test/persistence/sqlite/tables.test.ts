import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate, requireNewest } from '../../../src/persistence/sqlite/schema-version.ts'
import { journalMigrations } from '../../../src/persistence/sqlite/tables.ts'

const SCHEMA_VERSION = journalMigrations.length

const open = () => {
  const database = new BetterSqlite3(':memory:')
  onTestFinished(() => void database.close())
  return database
}

describe('the schema of the journal file', () => {
  it('is made in an empty file, which then says its version', () => {
    const database = open()
    migrate(database, 'journal.db', journalMigrations)
    expect(database.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
    expect(database.prepare('SELECT heads_until, index_until FROM flushed').raw().all()).toEqual([[0, 0]])
  })

  it('is left alone when it is of this version', () => {
    const database = open()
    migrate(database, 'journal.db', journalMigrations)
    database.exec('INSERT INTO shards (shard, first_segment) VALUES (1, 7)')
    migrate(database, 'journal.db', journalMigrations)
    expect(database.prepare('SELECT first_segment FROM shards').pluck().all()).toEqual([7])
  })

  it('of another release is refused before anything is written', () => {
    const database = open()
    database.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    expect(() => migrate(database, 'journal.db', journalMigrations)).toThrow(
      `journal.db has schema version ${SCHEMA_VERSION + 1}, this release knows up to ${SCHEMA_VERSION}: start the release that wrote it`,
    )
    expect(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0)
  })

  it('of an older release cannot be read until the service has brought it up to date', () => {
    const database = open()
    expect(() => requireNewest(database, 'journal.db', journalMigrations)).toThrow(
      `journal.db has schema version 0, this release reads ${SCHEMA_VERSION}: start the service on it once`,
    )
  })

  it('is read only when it is of this version', () => {
    const database = open()
    migrate(database, 'journal.db', journalMigrations)
    requireNewest(database, 'journal.db', journalMigrations)
    database.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    expect(() => requireNewest(database, 'journal.db', journalMigrations)).toThrow(
      'start the release that wrote it',
    )
  })

  it('is made as a whole or not at all', () => {
    const database = open()
    database.exec('CREATE TABLE timers (id TEXT)')
    expect(() => migrate(database, 'journal.db', journalMigrations)).toThrow('already exists')
    expect(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(1)
    expect(database.pragma('user_version', { simple: true })).toBe(0)
  })

  it('takes no value of another type', () => {
    const database = open()
    migrate(database, 'journal.db', journalMigrations)
    expect(() => database.exec(`INSERT INTO shards (shard, epoch) VALUES (1, 'two')`)).toThrow(
      'cannot store TEXT',
    )
  })
})
