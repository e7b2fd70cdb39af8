import BetterSqlite3 from 'better-sqlite3'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openKeyFile } from '../../../../src/persistence/vault/sqlite/key-file.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'

describe('key file', () => {
  const folder = temporaryFolder('key-file')
  const file = join(folder, 'inner', 'keys.sqlite')

  it('is for its owner alone, its log too', () => {
    const before = process.umask(0)
    try {
      const database = openKeyFile(file)
      expect(statSync(join(folder, 'inner')).mode & 0o777).toBe(0o700)
      for (const suffix of ['', '-wal']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600)
      database.close()
    } finally {
      process.umask(before)
    }
  })

  it('syncs every commit and overwrites what is deleted, also when it is opened again', () => {
    for (let time = 0; time < 2; time++) {
      const database = openKeyFile(file)
      expect(database.pragma('synchronous', { simple: true })).toBe(2)
      expect(database.pragma('secure_delete', { simple: true })).toBe(1)
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
      expect(database.pragma('temp_store', { simple: true })).toBe(2)
      database.close()
    }
  })

  it('is refused when another release has written it', () => {
    const database = new BetterSqlite3(file)
    database.pragma('user_version = 99')
    database.close()
    expect(() => openKeyFile(file)).toThrow(
      'has schema version 99, this release knows up to 1: start the release that wrote it',
    )
  })
})
