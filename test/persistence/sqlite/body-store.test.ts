import { describe, expect, it } from 'vitest'
import { SqliteBodyStore } from '../../../src/persistence/sqlite/body-store.ts'
import { SqliteJournalStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { temporaryFolder } from './parts/temporary-journal.ts'

const text = (body: Uint8Array | null): string | null => (body === null ? null : Buffer.from(body).toString())

describe('bodies in the journal file', () => {
  it('are given back until their time is over, and may be replaced', async () => {
    await using store = await SqliteJournalStore.open(temporaryFolder())
    let nowMs = 1_000
    using bodies = new SqliteBodyStore(store.writer, store.reader, () => nowMs)
    await bodies.put('one', Buffer.from('first'), 2_000)
    await bodies.put('one', Buffer.from('second'), 3_000.5)
    expect([text(await bodies.get('one')), await bodies.get('two')]).toEqual(['second', null])
    nowMs = 2_999
    expect(text(await bodies.get('one'))).toBe('second')
    nowMs = 3_000
    expect(await bodies.get('one')).toBeNull()
  })

  it('are gone when they are deleted', async () => {
    await using store = await SqliteJournalStore.open(temporaryFolder())
    using bodies = new SqliteBodyStore(store.writer, store.reader, () => 0)
    await bodies.put('one', Buffer.from('text'), 10)
    await bodies.delete('one')
    await bodies.delete('one')
    expect(await bodies.get('one')).toBeNull()
  })

  it('are swept away when they are over, however many, and no others', async () => {
    await using store = await SqliteJournalStore.open(temporaryFolder())
    let nowMs = 0
    using bodies = new SqliteBodyStore(store.writer, store.reader, () => nowMs)
    const ids = Array.from({ length: 600 }, (_, index) => `body-${index}`)
    await Promise.all(ids.map((id) => bodies.put(id, Buffer.from(id), 5)))
    await bodies.put('kept', Buffer.from('kept'), 6)
    nowMs = 5
    await bodies.sweep()
    nowMs = 0
    expect((await Promise.all(ids.map((id) => bodies.get(id)))).every((body) => body === null)).toBe(true)
    expect(text(await bodies.get('kept'))).toBe('kept')
  })
})
