import BetterSqlite3, { type Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForReading, openForWriting } from '../../../../src/persistence/sqlite/database.ts'
import { LogMover, restMover } from '../../../../src/persistence/sqlite/log-mover/log-mover.ts'
import { logState } from '../../../../src/persistence/sqlite/log-mover/log-state.ts'
import { openJournal } from '../parts/temporary-journal.ts'

const PAGE = 16_384
const MOVE = { slots: [], calls: [['move']] } as const

describe('the mover of the write-ahead log', () => {
  let database: Database
  let mover: LogMover

  /** Each row fills a page of its own. */
  const write = (pages: number): void => {
    const insert = database.prepare('INSERT INTO blobs VALUES (?)')
    database.transaction(() => {
      for (let page = 0; page < pages; page++) insert.run('x'.repeat(PAGE - 200))
    })()
  }

  beforeEach(() => {
    database = openJournal()
    database.pragma('wal_autocheckpoint = 0')
    database.exec('CREATE TABLE blobs (text TEXT)')
    mover = new LogMover(database.name)
  })
  afterEach(() => {
    mover.close()
    database.close()
  })

  it('leaves a short log alone', () => {
    write(100)
    expect(mover.run(MOVE)).toEqual({ values: [], failures: [] })
    expect(logState(database).unmoved).toBeGreaterThanOrEqual(100)
  })

  it('moves a long one while the writer goes on, which then begins it anew', () => {
    write(1_100)
    database.exec('BEGIN IMMEDIATE')
    database.exec("INSERT INTO blobs VALUES ('under way')")
    mover.run(MOVE)
    database.exec('COMMIT')
    const { pages, unmoved } = logState(database)
    expect(pages).toBeGreaterThan(1_000)
    expect(unmoved).toBeGreaterThan(0)
    expect(unmoved).toBeLessThan(100)
    restMover()(database)
    expect(logState(database).unmoved).toBe(0)
    write(1)
    expect(logState(database).pages).toBeLessThan(50)
  })

  it('leaves the writer nothing to do while much is still to be moved, which it says, or little is there at all', () => {
    const moveRest = restMover()
    write(500)
    expect(moveRest(database)).toBe(false)
    expect(logState(database).unmoved).toBeGreaterThanOrEqual(500)
    write(600)
    expect(moveRest(database)).toBe(true)
    expect(logState(database).unmoved).toBeGreaterThanOrEqual(1_100)
  })

  it('has the writer try again only when the log has grown by much, while somebody reads what stands in it', () => {
    write(1_100)
    const reader = openForReading(database.name)
    reader.exec('BEGIN; SELECT count(*) FROM blobs')
    mover.run(MOVE)
    write(10)
    const moveRest = restMover()
    moveRest(database)
    write(10)
    moveRest(database)
    expect(logState(database).unmoved).toBeGreaterThanOrEqual(10)
    reader.close()
    write(600)
    mover.run(MOVE)
    moveRest(database)
    expect(logState(database).unmoved).toBeGreaterThanOrEqual(600)
    write(400)
    database.exec('BEGIN IMMEDIATE')
    database.exec("INSERT INTO blobs VALUES ('under way')")
    mover.run(MOVE)
    database.exec('COMMIT')
    moveRest(database)
    expect(logState(database).unmoved).toBe(0)
  })

  it('says that the log could not be moved, and opens the file again', () => {
    write(1_100)
    let opened = 0
    const failing = new LogMover(database.name, (file) => {
      opened += 1
      return opened > 1 ? openForWriting(file) : broken(openForWriting(file))
    })
    expect(failing.run(MOVE).failures).toEqual([
      [0, { is: 'not-applied', message: 'journal file: disk I/O error' }],
    ])
    expect(failing.run(MOVE).failures).toEqual([])
    expect(logState(database).unmoved).toBe(0)
    failing.close()
  })
})

const broken = (real: Database): Database =>
  new Proxy(real, {
    get: (_, property) => {
      if (property === 'pragma')
        return () => {
          throw new BetterSqlite3.SqliteError('disk I/O error', 'SQLITE_IOERR')
        }
      const value: unknown = Reflect.get(real, property, real)
      return typeof value === 'function' ? (value as () => unknown).bind(real) : value
    },
  })
