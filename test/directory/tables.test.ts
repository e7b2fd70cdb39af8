import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { openTables } from '../../src/directory/tables.ts'
import { query, row } from './directory-rows.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouchsafe-directory-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the tables of the directory', () => {
  it('are for the service alone, and overwrite what is deleted', () => {
    const file = join(folder, 'directory.sqlite')
    const { database } = openTables(file)
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

  it('take over the rows and positions of a file from before there were versions', async () => {
    const file = join(folder, 'directory.sqlite')
    const before = new BetterSqlite3(file)
    before.exec(`
      CREATE TABLE records (
        kind TEXT NOT NULL, id TEXT NOT NULL, tenant TEXT NOT NULL, created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL, state TEXT NOT NULL, external_id TEXT, search TEXT NOT NULL, filters TEXT NOT NULL,
        PRIMARY KEY (kind, id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE positions (shard INTEGER PRIMARY KEY, no INTEGER NOT NULL, entry INTEGER NOT NULL) STRICT;
      INSERT INTO records VALUES ('credential', 'a', 't1', 5, 6, 'done', 'order-1', 'order-1', '{"connectionId":"c"}');
      INSERT INTO positions VALUES (3, 5, 1);
    `)
    before.close()
    const directory = new SqliteDirectory(file)
    const page = await directory.list(query({ q: 'ORDER' }))
    expect(page).toMatchObject({ total: 1, rows: [{ id: 'a', createdAtMs: 5, updatedAtMs: 6 }] })
    expect((await directory.list(query({ filters: { connectionId: 'c' } }))).total).toBe(1)
    expect(directory.positionOf(3)).toEqual({ no: 5, index: 1 })
    directory[Symbol.dispose]()
  })
})
