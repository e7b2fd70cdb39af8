import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
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

/** As a file of a release that had all texts in the rows themselves. */
const withoutSlots = (database: ReturnType<typeof openTables>): void => {
  database.exec('DROP TABLE texts; DROP TABLE free_texts; ALTER TABLE records DROP COLUMN text_slot')
}

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

  it('of the release before know what is now, and count when it came to be as it is written or rebuilt', async () => {
    const file = join(folder, 'directory.sqlite')
    const before = new SqliteDirectory(file)
    const offered = (id: string, tenant = 't1') => row(id, { tenant, state: 'offer-sent', createdAtMs: 9 })
    before.write(3, [row('a'), row('b'), offered('c'), offered('d', 't2')], { no: 5, index: 1 })
    before[Symbol.dispose]()
    const database = openTables(file)
    database.exec(
      "DROP TABLE hours; DROP TABLE steps; DROP TABLE horizon; DELETE FROM scopes WHERE tenant = ''",
    )
    database.exec('ALTER TABLE records DROP COLUMN steps')
    withoutSlots(database)
    database.pragma('user_version = 3')
    database.close()
    const after = new SqliteDirectory(file)
    onTestFinished(() => after[Symbol.dispose]())
    expect([(await after.list(query())).total, after.positionOf(3)]).toEqual([3, { no: 5, index: 1 }])
    const counted = async (tenant: string | null) => {
      const lists = [{ kind: 'credential', waiting: ['offer'] }]
      const [found] = await after.overview({ tenant, lists, fromHour: 0, toHour: 2, hoursEach: 1 })
      return [found?.now, found?.counts, found?.oldest?.id]
    }
    expect(await counted('t1')).toEqual([{ done: 2, 'offer-sent': 1 }, {}, 'c'])
    expect(await counted(null)).toEqual([{ done: 2, 'offer-sent': 2 }, {}, 'c'])
    const done = row('c', {
      steps: [
        ['offer-sent', 9],
        ['done', 3_600_000],
      ],
    })
    for (let time = 0; time < 2; time++)
      after.write(3, [done, row('a', { isGone: true })], { no: 6, index: 0 })
    const counts = { 'offer-sent': [1, 0], done: [0, 1] }
    expect(await counted('t1')).toEqual([{ done: 2 }, counts, undefined])
    expect(await counted(null)).toEqual([{ done: 2, 'offer-sent': 1 }, counts, 'd'])
    after.write(3, [row('t2', { tenant: 'operators', kind: 'tenant', endsAllBut: [] })], { no: 7, index: 0 })
    expect(await counted(null)).toEqual([{ done: 2 }, counts, undefined])
  })

  it('of the release before have their names moved, and nothing is left where these stood', async () => {
    const file = join(folder, 'directory.sqlite')
    openTables(file).close()
    const before = openTables(file)
    withoutSlots(before)
    before.pragma('user_version = 4')
    before.exec("INSERT INTO scopes (scope, tenant, kind) VALUES (1, 't1', 'connection')")
    const add = before.prepare(
      `INSERT INTO records (seq, scope, place, state, id, created_ms, updated_ms, external_id, search, filters)
       VALUES (?, 1, ?, 'completed', ?, 1, 1, ?, ?, '{}')`,
    )
    const many = Array.from({ length: 500 }, (_, n) => n + 1)
    for (const n of many) add.run(n, n, `con_${n}`, `ext ${n}`, `ext ${n}\ncanary of nobody ${n}!`)
    add.run(501, 501, 'con_501', 'ext 501', 'ext 501')
    before.close()

    const after = new SqliteDirectory(file)
    const found = async (q: string): Promise<readonly string[]> =>
      (await after.list(query({ kind: 'connection', q }))).rows.map(({ id }) => id)
    expect(await found('nobody 77!')).toEqual(['con_77'])
    expect(await found('ext 501')).toEqual(['con_501'])
    for (const n of many)
      after.write(
        3,
        [row(`con_${n}`, { kind: 'connection', externalId: `ext ${n}`, searchText: `ext ${n}` })],
        { no: 6, index: n },
      )
    after.clear()
    expect(await found('nobody 77!')).toEqual([])
    expect(await found('ext 77')).toEqual(['con_77'])
    after[Symbol.dispose]()
    expect(readFileSync(file, 'latin1')).not.toContain('canary')
    expect(readFileSync(file, 'latin1')).toContain('ext 77')
  })

  it('that were not yet written anew when the process died are so at the next start', () => {
    const file = join(folder, 'directory.sqlite')
    const database = openTables(file)
    database.pragma('user_version = 5')
    database.close()
    const again = openTables(file)
    expect(again.pragma('user_version', { simple: true })).toBe(6)
    again.close()
  })

  it('are not mixed with those of another release', () => {
    const file = join(folder, 'directory.sqlite')
    const database = openTables(file)
    database.pragma('user_version = 9')
    database.close()
    expect(() => openTables(file)).toThrow('was written by another release')
  })
})
