import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SqliteJournalStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { batchSlot, entry, openSlot, someActor, timer } from '../../contract/journal/parts/slots.ts'
import { journalIn, temporaryFolder } from './parts/temporary-journal.ts'

describe('the store of the embedded engine', () => {
  it('makes its folder for its own user only', async () => {
    const folder = join(temporaryFolder(), 'new', 'data')
    await using store = await SqliteJournalStore.open(folder)
    await store.probe()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('has an actor copied when its slot is written: copying is left with nothing to do', async () => {
    await using store = await SqliteJournalStore.open(temporaryFolder())
    const actor = someActor(1)
    await store.append(batchSlot(1, 0, 1, [entry(actor, 1, { set: [timer(actor, 5)] })]))
    expect(store.copies).toBe('atomic')
    expect(await store.readEvents(actor, 0)).toHaveLength(1)
    expect(await store.timersDue(1, 0, 9, null, 9)).toEqual([timer(actor, 5)])
  })

  it('leaves one file behind when it is closed', async () => {
    const folder = temporaryFolder()
    const store = await SqliteJournalStore.open(folder)
    await store.append(openSlot(1, 0, 1))
    await store[Symbol.asyncDispose]()
    expect(statSync(`${journalIn(folder)}-wal`, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('rejects when its file cannot be opened', async () => {
    const folder = temporaryFolder()
    mkdirSync(journalIn(folder))
    await expect(SqliteJournalStore.open(folder)).rejects.toThrow('unable to open database file')
  })
})
