import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openForWriting } from '../../../../src/persistence/sqlite/database.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { openReader } from '../../../../src/persistence/sqlite/journal-store.ts'
import { closedAtEnd } from '../../../closed-at-end.ts'

it('the reading thread answers from its own connection while another writes', async () => {
  const folder = temporaryFolder('reader-thread')
  const database = openForWriting(join(folder, 'journal.db'))
  const reader = closedAtEnd(await openReader(folder))
  expect(await reader.call('firstSegment', 1)).toBe(0)
  database.exec('INSERT INTO shards (shard, first_segment) VALUES (1, 4)')
  expect(await reader.call('firstSegment', 1)).toBe(4)
  database.close()
})

it('the reading thread makes no file', async () => {
  await expect(openReader(temporaryFolder('reader-thread'))).rejects.toThrow('unable to open database file')
})
