import type { AgentContext, TagsBase } from '@credo-ts/core'
import { GenericRecord } from '@credo-ts/core'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SqliteRecordStorage } from './record-storage.ts'

const context = {} as AgentContext
const record = (id: string, tags: TagsBase) => new GenericRecord({ id, content: { id }, tags })

const filled = async (database: Database.Database) => {
  const storage = new SqliteRecordStorage<GenericRecord>(database)
  await storage.save(context, record('a', { threadId: 'one', keys: ['k1', 'k2'], done: true }))
  await storage.save(context, record('b', { threadId: 'one', keys: ['k2'] }))
  await storage.save(context, record('c', { threadId: 'two' }))
  return storage
}

describe('records of a wallet', () => {
  const find = async (storage: SqliteRecordStorage<GenericRecord>, query: object) =>
    (await storage.findByQuery(context, GenericRecord, query)).map(({ id }) => id)

  it('are found by texts, by lists of them, by other values, and by parts of a query', async () => {
    const storage = await filled(new Database(':memory:'))
    expect(await find(storage, { threadId: 'one' })).toEqual(['a', 'b'])
    expect(await find(storage, { keys: ['k2', 'k1'] })).toEqual(['a'])
    expect(await find(storage, { threadId: 'one', done: true })).toEqual(['a'])
    expect(await find(storage, { $or: [{ threadId: 'two' }, { done: true }] })).toEqual(['a', 'c'])
    expect(await find(storage, { $or: [{ threadId: 'two' }, { keys: ['k2'] }] })).toEqual(['a', 'b', 'c'])
    expect(await find(storage, { $or: [{ threadId: 'two' }, { threadId: 'one', keys: ['k1'] }] })).toEqual([
      'a',
      'c',
    ])
    expect(await find(storage, { $or: [{ threadId: 'three' }, { keys: ['k3'] }] })).toEqual([])
    expect(await find(storage, { threadId: undefined })).toEqual(['a', 'b', 'c'])
    expect(await find(storage, { threadId: 'three' })).toEqual([])
  })

  it('are found by what they are now, and not when they are gone', async () => {
    const storage = await filled(new Database(':memory:'))
    await storage.update(context, record('a', { threadId: 'two' }))
    await storage.deleteById(context, GenericRecord, 'c')
    expect(await find(storage, { threadId: 'one' })).toEqual(['b'])
    expect(await find(storage, { threadId: 'two' })).toEqual(['a'])
  })

  it('of a wallet that kept no tags apart are found too', async () => {
    const database = new Database(':memory:')
    await filled(database)
    database.exec('DROP TABLE record_tags')
    expect(await find(new SqliteRecordStorage(database), { threadId: 'two' })).toEqual(['c'])
  })

  it('leave nothing behind when one is saved twice', async () => {
    const storage = await filled(new Database(':memory:'))
    await expect(storage.save(context, record('c', { threadId: 'other' }))).rejects.toThrow(
      'there is a record c',
    )
    expect(await find(storage, { threadId: 'other' })).toEqual([])
  })
})
