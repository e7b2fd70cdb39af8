import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SqliteJournalReads, shardOfActor } from '../../../src/persistence/sqlite/journal-reads.ts'
import { SqliteJournalStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { batchSlot, entry, someActor } from '../../contract/journal/parts/slots.ts'
import { temporaryFolder } from './parts/temporary-journal.ts'

describe('the reading half of the journal file', () => {
  it('stands beside a store that goes on writing', async () => {
    const folder = temporaryFolder()
    await using store = await SqliteJournalStore.open(folder)
    await using reads = await SqliteJournalReads.openReads(folder)
    const actor = someActor(9)
    for (const seq of [1, 2]) {
      await store.append(batchSlot(9, seq - 1, 1, [entry(actor, seq)]))
      expect(await reads.readEvents(actor, 0)).toHaveLength(seq)
    }
    expect(await reads.listActors(9, null, 10)).toEqual([actor])
    expect(await reads.readLog(9, 0, 10)).toEqual(await store.readLog(9, 0, 10))
  })

  it('says when there is no journal, and makes none', async () => {
    const folder = temporaryFolder()
    await expect(SqliteJournalReads.openReads(folder)).rejects.toThrow(
      `There is no journal in the data folder ${folder}.`,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('takes no text for an actor that is not the id of one', () => {
    expect(shardOfActor(someActor(0x7f))).toBe(0x7f)
    expect(() => shardOfActor('somebody')).toThrow(new RangeError('not the id of an actor: somebody'))
  })
})
