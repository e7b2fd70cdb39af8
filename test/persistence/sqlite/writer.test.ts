import { join } from 'node:path'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForWriting } from '../../../src/persistence/sqlite/database.ts'
import { SlotPacker } from '../../../src/persistence/sqlite/slot-file/packed-slots.ts'
import { prepareReadEvents } from '../../../src/persistence/sqlite/read-events.ts'
import type { GroupAnswer } from '../../../src/persistence/sqlite/thread-messages.ts'
import { openWriter } from '../../../src/persistence/sqlite/writer.ts'
import { batchSlot, entry, someActor } from '../../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

describe('the writer', () => {
  let folder: string
  let opened: Database[]
  let failing: { at: string; code: string } | null
  let writer: ReturnType<typeof openWriter>
  const actors = [someActor(0), someActor(1)] as const

  /** The real connection; a statement named in `failing` fails the way a disk would make it fail. */
  const open = (file: string): Database => {
    const real = openForWriting(file)
    opened.push(real)
    return new Proxy(real, {
      get: (_, property) => {
        const value: unknown = Reflect.get(real, property, real)
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          if (property === 'exec' && args[0] === failing?.at)
            throw new BetterSqlite3.SqliteError('disk I/O error', failing?.code ?? '')
          return (value as (...args: unknown[]) => unknown).apply(real, args)
        }
      },
    })
  }

  /** Slot `no` of two shards, with an event of some size each, and a call beside them. */
  const write = (no: number): GroupAnswer => {
    const packer = new SlotPacker()
    for (const [shard, actor] of actors.entries()) {
      const large = { ...entry(actor, no + 1), events: [`{"text":"${'x'.repeat(20_000)}"}`] }
      packer.add(batchSlot(shard, no, 1, [large]))
    }
    return writer.run({ slots: [packer.take()], calls: [['savePosition', 'reader', 0, { no, index: 0 }]] })
  }

  const outcomes = ({ failures }: GroupAnswer): readonly string[] => failures.map(([, { is }]) => is)

  const count = (table: string): unknown =>
    opened.at(-1)?.prepare(`SELECT count(*) AS rows FROM ${table}`).pluck().get()

  beforeEach(() => {
    folder = temporaryFolder('writer')
    opened = []
    failing = null
    writer = openWriter(join(folder, 'journal.db'), open)
    expect(write(0)).toEqual({ values: [], failures: [] })
  })
  afterEach(() => {
    writer.close()
  })

  it('refuses a whole group when the disk is full, and goes on by itself when there is room', () => {
    const pages = Number(opened[0]?.pragma('page_count', { simple: true }))
    opened[0]?.pragma(`max_page_count = ${pages}`)
    expect(outcomes(write(1))).toEqual(['not-applied', 'not-applied', 'not-applied'])
    expect(count('slots')).toBe(2)
    opened[0]?.pragma(`max_page_count = ${pages + 1_000}`)
    expect(write(1)).toEqual({ values: [], failures: [] })
    expect([count('slots'), opened.length]).toEqual([4, 1])
  })

  it('calls a group not applied when it was rolled back, and opens the file anew after a failed write', () => {
    failing = { at: 'BEGIN IMMEDIATE', code: 'SQLITE_IOERR_WRITE' }
    expect(outcomes(write(1))).toEqual(['not-applied', 'not-applied', 'not-applied'])
    failing = null
    expect(write(1)).toEqual({ values: [], failures: [] })
    expect([count('slots'), opened.length]).toEqual([4, 2])
  })

  it('does not know the outcome when the sync at the end failed', () => {
    failing = { at: 'COMMIT', code: 'SQLITE_IOERR_FSYNC' }
    expect(outcomes(write(1))).toEqual(['unknown', 'unknown', 'unknown'])
    failing = null
    expect(write(1)).toEqual({ values: [], failures: [] })
    expect(count('slots')).toBe(4)
  })

  it('stays away while the file cannot be opened, and comes back with it', () => {
    failing = { at: 'COMMIT', code: 'SQLITE_IOERR_FSYNC' }
    write(1)
    failing = { at: 'BEGIN IMMEDIATE', code: 'SQLITE_CANTOPEN' }
    expect(outcomes(write(1))).toEqual(['not-applied', 'not-applied', 'not-applied'])
    failing = null
    expect(write(1)).toEqual({ values: [], failures: [] })
  })

  it('fails only the call that breaks a rule', () => {
    const packer = new SlotPacker()
    packer.add(batchSlot(0, 1, 1, [entry(actors[0], 7)]))
    packer.add(batchSlot(1, 1, 1, [entry(actors[1], 2)]))
    const answer = writer.run({
      slots: [packer.take()],
      calls: [['noSuchCall'], ['savePosition', 'other', 0, { no: 1, index: 0 }]],
    })
    expect(answer.failures.map(([index, { is }]) => [index, is])).toEqual([
      [0, 'defect'],
      [2, 'defect'],
    ])
    expect(count('positions')).toBe(2)
    expect(count('slots')).toBe(3)
  })

  it('finds the ends of the chains and the slots again after a rollback', () => {
    failing = { at: 'COMMIT', code: 'SQLITE_FULL' }
    expect(outcomes(write(1))).toEqual(['not-applied', 'not-applied', 'not-applied'])
    failing = null
    for (const no of [1, 2, 3]) expect(write(no)).toEqual({ values: [], failures: [] })
    expect(count('slots')).toBe(8)
    const again = opened.at(-1)
    if (again === undefined) throw new Error('no connection')
    const read = prepareReadEvents(again)
    for (const actor of actors) expect(read(actor, 0).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })
})
