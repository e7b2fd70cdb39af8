import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { openTables } from '../../src/directory/tables.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { query, row } from './directory-rows.ts'

/** What SQLite calls it. */
const IN_MEMORY = 2
let folder: string
beforeEach(() => {
  folder = temporaryFolder('vouchsafe-directory')
})

describe('the tables of the directory', () => {
  it('are for the service alone, and overwrite what is deleted', () => {
    const file = join(folder, 'directory.sqlite')
    const database = openTables(file)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(database.pragma('secure_delete', { simple: true })).toBe(1)
    database.close()
  })

  it('are sorted in memory, and in no temporary file', () => {
    const database = openTables(join(folder, 'directory.sqlite'))
    expect(database.pragma('temp_store', { simple: true })).toBe(IN_MEMORY)
    database.close()
  })

  it('are kept when they are opened again', async () => {
    const file = join(folder, 'directory.sqlite')
    const first = new SqliteDirectory(file)
    first.write(3, [row('a')], { no: 5, index: 1 })
    first[Symbol.dispose]()
    const second = new SqliteDirectory(file)
    expect([(await second.list(query())).total, second.positionOf(3)]).toEqual([1, { no: 5, index: 1 }])
    second[Symbol.dispose]()
  })

  it('are not mixed with those of another release', () => {
    const file = join(folder, 'directory.sqlite')
    const database = openTables(file)
    database.pragma('user_version = 9')
    database.close()
    expect(() => openTables(file)).toThrow('was written by another release')
  })
})
