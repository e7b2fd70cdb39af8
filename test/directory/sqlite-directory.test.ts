import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DirectoryRow, ListQuery } from '../../src/ports/directory.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { filesWithText } from '../../tools/scan/places.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { query, row } from './directory-rows.ts'

let directory: SqliteDirectory
beforeEach(() => {
  directory = new SqliteDirectory(':memory:')
})
afterEach(() => directory[Symbol.dispose]())

const put = (...rows: DirectoryRow[]) => directory.write(0, rows, { no: 1, index: 0 })
const ids = async (more: Partial<ListQuery> = {}) =>
  (await directory.list(query(more))).rows.map(({ id }) => id)

describe('the directory', () => {
  it('lists the newest first, page by page, with an exact total', async () => {
    put(...Array.from({ length: 7 }, (_, n) => row(`c${n}`, { createdAtMs: n })))
    expect(await ids({ pageSize: 3 })).toEqual(['c6', 'c5', 'c4'])
    expect(await ids({ pageSize: 3, page: 3 })).toEqual(['c0'])
    expect((await directory.list(query({ page: 99 }))).total).toBe(7)
  })

  it('knows nothing of other tenants and kinds', async () => {
    put(row('a'), row('b', { tenant: 't2' }), row('c', { kind: 'proof' }))
    expect(await ids()).toEqual(['a'])
  })

  it('finds contained text in any case and script, and takes % and _ literally', async () => {
    put(
      row('a', { searchText: 'Ämter 50%', externalId: 'Order_1' }),
      row('b', { searchText: 'amt', externalId: 'orderX1' }),
    )
    expect(await ids({ q: 'ÄMT' })).toEqual(['a'])
    expect(await ids({ q: '%' })).toEqual(['a'])
    expect(await ids({ externalId: 'ORDER_' })).toEqual(['a'])
  })

  it('filters by state, time and field', async () => {
    put(
      row('a', { createdAtMs: 10, filters: { connectionId: 'x' } }),
      row('b', { createdAtMs: 20, state: 'declined', filters: { connectionId: null } }),
    )
    expect(await ids({ states: ['declined', 'abandoned'] })).toEqual(['b'])
    expect(await ids({ states: ['no such'] })).toEqual([])
    expect(await ids({ fromMs: 10, toMs: 20 })).toEqual(['a'])
    expect(await ids({ filters: { connectionId: 'x' } })).toEqual(['a'])
  })

  it('replaces a row and keeps the position with it', async () => {
    put(row('a'))
    directory.write(7, [row('a', { state: 'closed' })], { no: 5, index: 2 })
    expect((await directory.list(query())).rows).toMatchObject([{ state: 'closed' }])
    expect(directory.positionOf(7)).toEqual({ no: 5, index: 2 })
    expect(directory.positionOf(8)).toBeNull()
  })

  it('has a text that was replaced in no file two seconds later, or when somebody waits for it', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const folder = temporaryFolder('replaced-text')
    const files = new SqliteDirectory(join(folder, 'directory.sqlite'))
    onTestFinished(() => files[Symbol.dispose]())
    const write = (searchText: string, updatedAtMs: number) =>
      files.write(0, [row('a', { searchText, updatedAtMs })], { no: updatedAtMs, index: 0 })
    write('canary of somebody', 1)
    write('canary of somebody', 2)
    expect(filesWithText(folder, 'canary of somebody')).not.toEqual([])
    write('', 3)
    expect(filesWithText(folder, 'canary of somebody')).not.toEqual([])
    vi.advanceTimersByTime(2_000)
    expect(filesWithText(folder, 'canary of somebody')).toEqual([])
    write('canary of another', 4)
    write('', 5)
    files.clear()
    expect(filesWithText(folder, 'canary of another')).toEqual([])
  })

  it('writes on while somebody reads its file, and says that a text that was replaced is still there', () => {
    const folder = temporaryFolder('read-by-others')
    const files = new SqliteDirectory(join(folder, 'directory.sqlite'))
    onTestFinished(() => files[Symbol.dispose]())
    files.write(0, [row('a', { searchText: 'canary of somebody' })], { no: 1, index: 0 })
    const reader = new BetterSqlite3(join(folder, 'directory.sqlite'), { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM records')
    files.write(0, [row('a', { searchText: '' })], { no: 2, index: 0 })
    files.write(0, [row('b')], { no: 3, index: 0 })
    expect(files.positionOf(0)).toEqual({ no: 3, index: 0 })
    expect(() => files.clear()).toThrow('is being read')
    reader.close()
    files.clear()
    expect(filesWithText(folder, 'canary of somebody')).toEqual([])
  })

  it('clears with its next start what a crash left in the log of its file', () => {
    const folder = temporaryFolder('log-after-crash')
    const file = join(folder, 'directory.sqlite')
    const crashed = new SqliteDirectory(file)
    crashed.write(0, [row('a', { searchText: 'canary of somebody' })], { no: 1, index: 0 })
    const copy = temporaryFolder('log-after-crash-copy')
    cpSync(folder, copy, { recursive: true })
    crashed[Symbol.dispose]()
    expect(statSync(join(copy, 'directory.sqlite-wal')).size).toBeGreaterThan(0)
    const again = new SqliteDirectory(join(copy, 'directory.sqlite'))
    expect(statSync(join(copy, 'directory.sqlite-wal')).size).toBe(0)
    again[Symbol.dispose]()
  })
})
