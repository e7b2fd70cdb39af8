import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openForWriting } from '../../../../src/persistence/sqlite/database.ts'
import { openReader } from '../../../../src/persistence/sqlite/journal-store.ts'

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'reader-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('the reading thread answers from its own connection while another writes', async () => {
  const folder = temporaryFolder()
  const database = openForWriting(join(folder, 'journal.db'))
  await using reader = await openReader(folder)
  expect(await reader.call('firstSegment', 1)).toBe(0)
  database.exec('INSERT INTO shards (shard, first_segment) VALUES (1, 4)')
  expect(await reader.call('firstSegment', 1)).toBe(4)
  database.close()
})

it('the reading thread makes no file', async () => {
  await expect(openReader(temporaryFolder())).rejects.toThrow('unable to open database file')
})
