import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { openTables } from '../../src/directory/tables.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { query, row } from './directory-rows.ts'

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

  it('are kept when they are opened again', async () => {
    const file = join(folder, 'directory.sqlite')
    const first = new SqliteDirectory(file)
    first.write(3, [row('a')], { no: 5, index: 1 })
    first[Symbol.dispose]()
    const second = new SqliteDirectory(file)
    expect([(await second.list(query())).total, second.positionOf(3)]).toEqual([1, { no: 5, index: 1 }])
    second[Symbol.dispose]()
  })

  it('of the release before count what is written from then on, or rebuilt', async () => {
    const file = join(folder, 'directory.sqlite')
    const before = new SqliteDirectory(file)
    before.write(3, [row('a'), row('b')], { no: 5, index: 1 })
    before[Symbol.dispose]()
    const database = openTables(file)
    database.exec('DROP TABLE hours; DROP TABLE steps; DROP TABLE horizon')
    database.exec('ALTER TABLE records DROP COLUMN steps')
    database.pragma('user_version = 3')
    database.close()
    const after = new SqliteDirectory(file)
    const now = async () => {
      const lists = [{ kind: 'credential', waiting: [] }]
      const counted = await after.overview({ tenant: 't1', lists, fromHour: 0, toHour: 1, hoursEach: 1 })
      return counted[0]?.now
    }
    expect([(await after.list(query())).total, after.positionOf(3), await now()]).toEqual([
      2,
      { no: 5, index: 1 },
      {},
    ])
    for (let time = 0; time < 2; time++)
      after.write(3, [row('a', { steps: [['done', 1]] })], { no: 6, index: 0 })
    expect(await now()).toEqual({ done: 1 })
    after[Symbol.dispose]()
  })

  it('are not mixed with those of another release', () => {
    const file = join(folder, 'directory.sqlite')
    const database = openTables(file)
    database.pragma('user_version = 9')
    database.close()
    expect(() => openTables(file)).toThrow('was written by another release')
  })
})
