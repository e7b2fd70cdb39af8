import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { describeFailure, isDefect, needsReopening } from '../../../src/persistence/sqlite/sqlite-failure.ts'

const failed = (code: string): Error => new BetterSqlite3.SqliteError('it went wrong', code)

describe('what an error of SQLite says', () => {
  it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY'])(
    '%s before the end applied nothing',
    (code) => {
      const failure = { is: 'not-applied', message: 'journal file: it went wrong' }
      expect(describeFailure('journal file', failed(code), 'running')).toEqual(failure)
    },
  )

  it('a failed sync at the end leaves the outcome open', () => {
    expect(describeFailure('journal file', failed('SQLITE_IOERR_FSYNC'), 'committing').is).toBe('unknown')
  })

  it('a full disk at the end applied nothing', () => {
    expect(describeFailure('journal file', failed('SQLITE_FULL'), 'committing').is).toBe('not-applied')
  })

  it.each(['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_ERROR'])(
    '%s is the fault of the call',
    (code) => {
      expect(isDefect(failed(code))).toBe(true)
      expect(describeFailure('journal file', failed(code), 'running')).toEqual({
        is: 'defect',
        message: 'it went wrong',
      })
    },
  )

  it('an error that is not of SQLite is the fault of the call', () => {
    expect(describeFailure('journal file', new TypeError('no such operation: x'), 'committing').is).toBe(
      'defect',
    )
    expect(describeFailure('journal file', 'thrown text', 'running')).toEqual({
      is: 'defect',
      message: 'thrown text',
    })
  })

  it.each(['SQLITE_IOERR_READ', 'SQLITE_CORRUPT', 'SQLITE_CANTOPEN', 'SQLITE_READONLY_DBMOVED'])(
    '%s makes the connection untrustworthy',
    (code) => expect(needsReopening(failed(code))).toBe(true),
  )

  it.each(['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_CONSTRAINT'])('%s does not', (code) =>
    expect(needsReopening(failed(code))).toBe(false),
  )
})
