import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { journalMigrations } from '../../../src/persistence/sqlite/tables.ts'
import { StoreFailure } from '../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, someActor } from '../../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

describe('the journal file', () => {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder('journal-file')
  })

  it('of another release is refused with a sentence, and left alone', async () => {
    const store = await openSqliteStore(folder)
    await store[Symbol.asyncDispose]()
    const file = new BetterSqlite3(join(folder, 'journal.db'))
    file.pragma(`user_version = ${journalMigrations.length + 1}`)
    file.close()
    await expect(openSqliteStore(folder)).rejects.toThrow('start the release that wrote it')
  })

  it('that is no database is refused', async () => {
    execFileSync('sh', ['-c', `head -c 8192 /dev/urandom > ${join(folder, 'journal.db')}`])
    await expect(openSqliteStore(folder)).rejects.toThrow('not a database')
  })

  it('answers what waits when it is closed, and refuses what comes after', async () => {
    const store = await openSqliteStore(folder)
    const written = store.append(openSlot(0, 0, 1))
    const closed = store[Symbol.asyncDispose]()
    expect(await written).toEqual({ is: 'written' })
    await closed
    await expect(store.append(openSlot(0, 1, 1))).rejects.toThrow(StoreFailure)
    expect(readdirSync(folder).filter((name) => name.startsWith('journal.db'))).toEqual(['journal.db'])
  })

  it('keeps the neighbours of a batch that breaks a rule', async () => {
    const store = await openSqliteStore(folder)
    const actor = someActor(1)
    await store.append(batchSlot(1, 0, 1, [entry(actor, 1)]))
    const outcomes = await Promise.allSettled([
      store.append(openSlot(2, 0, 1)),
      store.append(batchSlot(1, 1, 1, [entry(actor, 3)])),
      store.append(openSlot(3, 0, 1)),
      store.savePosition('reader', 3, { no: 0, index: 0 }),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(await store.readLog(1, 0, 10)).toHaveLength(1)
    expect(await store.readLog(3, 0, 10)).toHaveLength(1)
    await store.append(batchSlot(1, 1, 1, [entry(actor, 2)]))
    expect((await store.readEvents(actor, 0)).map((event) => event.seq)).toEqual([1, 2])
    await store[Symbol.asyncDispose]()
  })

  it('has every acknowledged batch after its process was killed in the middle of writing', async () => {
    const script = fileURLToPath(new URL('parts/write-until-killed.ts', import.meta.url))
    const output = execFileSync('sh', ['-c', `"${process.execPath}" "${script}" "${folder}" || true`], {
      encoding: 'utf8',
    })
    const acknowledged = output.trim().split('\n').map(Number)
    const store = await openSqliteStore(folder)
    for (const [shard, no] of lastOfEachShard(acknowledged)) {
      const slots = await store.readLog(shard, 0, 10_000)
      expect(slots.length).toBeGreaterThan(no)
      for (const { record } of slots.slice(-1)) {
        if (record.kind === 'open') continue
        const [last] = record.entries.slice(-1)
        const events = await store.readEvents(last?.actor ?? '', 0)
        expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
        expect(events).toHaveLength(last?.seq ?? -1)
      }
    }
    expect(acknowledged.length).toBeGreaterThan(100)
    await store[Symbol.asyncDispose]()
  })
})

/** Lines are shard * 1,000,000 + slot. */
const lastOfEachShard = (lines: readonly number[]): ReadonlyMap<number, number> => {
  const last = new Map<number, number>()
  for (const line of lines) {
    const shard = Math.floor(line / 1_000_000)
    last.set(shard, Math.max(last.get(shard) ?? 0, line % 1_000_000))
  }
  return last
}
