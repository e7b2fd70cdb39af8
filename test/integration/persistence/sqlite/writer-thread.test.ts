import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DatabaseThread } from '../../../../src/persistence/sqlite/database-thread.ts'
import type { SqliteJournalStore } from '../../../../src/persistence/sqlite/journal-store.ts'
import { batchSlot, entry, openSlot } from '../../../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { closedAtEnd } from '../../../closed-at-end.ts'

const script = new URL('../../../../src/persistence/sqlite/writer-thread.ts', import.meta.url)
const open = (logIsLong = () => {}): Promise<SqliteJournalStore['writer']> => {
  const folder = temporaryFolder('writer-thread')
  return DatabaseThread.open(script, join(folder, 'journal.db'), { logIsLong })
}

it('the writing thread makes the file and commits what gathers, each with its own outcome', async () => {
  const writer = closedAtEnd(await open())
  const outcomes = await Promise.allSettled([
    writer.append(openSlot(1, 0, 1)),
    writer.append(batchSlot(2, 0, 1, [entry('a', 5)])),
    writer.append(openSlot(1, 0, 2)),
    writer.call('probe'),
  ])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { is: 'written' } },
    { status: 'rejected', reason: { message: 'a begins with event 5' } },
    { status: 'fulfilled', value: { is: 'occupied', epoch: 1 } },
    { status: 'fulfilled', value: undefined },
  ])
})

it('the writing thread cannot start on a folder that is not there', async () => {
  await expect(DatabaseThread.open(script, '/nowhere/journal.db')).rejects.toThrow('directory does not exist')
})

it('the writing thread answers each slot of many portions, also where one of them is wrong', async () => {
  const writer = closedAtEnd(await open())
  const shards = Array.from({ length: 1_000 }, (_, shard) => shard)
  const outcomes = await Promise.allSettled(
    shards.map((shard) =>
      writer.append(batchSlot(shard, 0, 1, [entry(`actor-${shard}`, shard === 700 ? 2 : 1)])),
    ),
  )
  const failed = outcomes.flatMap(({ status }, shard) => (status === 'rejected' ? [shard] : []))
  expect(failed).toEqual([700])
  const again = await Promise.all(shards.slice(690, 710).map((shard) => writer.append(openSlot(shard, 0, 9))))
  expect(again.map(({ is }) => is === 'written')).toEqual(
    shards.slice(690, 710).map((shard) => shard === 700),
  )
})

it('the writing thread says when 16 MB of its log wait to be moved, and not before', async () => {
  let said = 0
  const writer = closedAtEnd(await open(() => said++))
  const events = [`{"text":"${'x'.repeat(1_000_000)}"}`]
  const write = (shard: number) =>
    writer.append(batchSlot(shard, 0, 1, [{ ...entry(`actor-${shard}`, 1), events }]))
  for (let shard = 0; shard < 10; shard++) await write(shard)
  expect(said).toBe(0)
  for (let shard = 10; shard < 20; shard++) await write(shard)
  expect(said).toBeGreaterThan(0)
})
