import { describe, expect, it } from 'vitest'
import { SqliteBodyStore } from '../../../src/persistence/sqlite/body-store.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openSqliteStore } from '../../../src/persistence/sqlite/journal-store.ts'

const text = (body: Uint8Array | null): string | null => (body === null ? null : Buffer.from(body).toString())

describe('bodies in the journal file', () => {
  it('are swept away when they are over, however many, and no others', async () => {
    await using store = await openSqliteStore(temporaryFolder('body-store'))
    let nowMs = 0
    using bodies = new SqliteBodyStore(store, () => nowMs)
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
