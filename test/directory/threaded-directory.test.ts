import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ThreadedDirectory } from '../../src/directory/threaded-directory.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { query, row } from './directory-rows.ts'

let folder: string
let directory: ThreadedDirectory
beforeEach(() => {
  folder = temporaryFolder('vouchsafe-directory')
  directory = new ThreadedDirectory(join(folder, 'directory.sqlite'))
})
afterEach(async () => {
  await directory[Symbol.asyncDispose]()
})

describe('the directory in its thread', () => {
  it('lists what was written before, from many shards at once', async () => {
    await Promise.all(
      Array.from({ length: 64 }, (_, shard) =>
        directory.write(shard, [row(`c${shard}`, { searchText: `order ${shard}` })], { no: shard, index: 1 }),
      ),
    )
    expect((await directory.list(query())).total).toBe(64)
    expect((await directory.list(query({ q: 'ORDER 63' }))).rows.map(({ id }) => id)).toEqual(['c63'])
    expect(await directory.positionOf(63)).toEqual({ no: 63, index: 1 })
    expect(await directory.positionOf(64)).toBeNull()
  })

  it('writes at once what has gathered, and what comes, while somebody is in a hurry', async () => {
    const written: string[] = []
    const write = (id: string) =>
      directory.write(0, [row(id)], { no: 1, index: 0 }).then(() => written.push(id))
    void write('before')
    await directory.hurried(async () => {
      await write('during')
      expect((await directory.list(query())).total).toBe(2)
    })
    expect(written).toEqual(['before', 'during'])
  })

  it('refuses more lists than it could make in time', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 200 }, () => directory.list(query())))
    const refused = asked.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBe(72)
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterMs: 1_000 } })
    expect((await directory.list(query())).total).toBe(0)
  })

  it('fails retryably while its file is no database, and goes on when it is mended', async () => {
    const file = join(folder, 'other.sqlite')
    writeFileSync(file, 'not a database, and long enough to be read as the head of one '.repeat(100))
    const other = new ThreadedDirectory(file)
    await expect(other.list(query())).rejects.toMatchObject({ code: 'unavailable' })
    rmSync(file)
    await expect
      .poll(() => other.list(query()).catch(() => null), { timeout: 60_000 })
      .toEqual({ rows: [], total: 0 })
    await other[Symbol.asyncDispose]()
  })

  it('rejects a write that fails, writes none of its rows, and goes on', async () => {
    const broken = { ...row('b'), state: null as unknown as string }
    await expect(directory.write(7, [row('a'), broken], { no: 1, index: 0 })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect((await directory.list(query())).total).toBe(0)
    await directory.write(7, [row('a')], { no: 1, index: 0 })
    expect((await directory.list(query())).total).toBe(1)
  })

  it('answers nothing after it was closed, which may happen twice', async () => {
    await directory.write(0, [row('a')], { no: 1, index: 0 })
    await directory[Symbol.asyncDispose]()
    await directory[Symbol.asyncDispose]()
    await expect(directory.list(query())).rejects.toMatchObject({ code: 'unavailable' })
  })
})
