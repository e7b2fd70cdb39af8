import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { DirectoryRow, FinishedRecord } from '../../src/ports/directory.ts'
import { row } from './directory-rows.ts'

const SHARD = 0x1f
const idOf = (unique: string, kind = 'cre'): string => `${kind}_1f${unique.padStart(10, '0')}`
const over = (unique: string, finishedAtMs: number, more: Partial<DirectoryRow> = {}): DirectoryRow =>
  row(idOf(unique), { finishedAtMs, ...more })

describe('finished exchanges in the lists', () => {
  let directory: SqliteDirectory
  beforeEach(() => {
    directory = new SqliteDirectory(':memory:')
  })
  afterEach(() => directory[Symbol.dispose]())

  const put = (...rows: DirectoryRow[]) => directory.write(SHARD, rows, { no: 1, index: 0 })
  const before = (
    beforeMs: number,
    more: { after?: FinishedRecord | null; limit?: number; tenant?: string; erasedOnly?: boolean } = {},
  ) => {
    const query = {
      shard: SHARD,
      tenant: 't1',
      beforeMs,
      erasedOnly: false,
      after: null,
      limit: 100,
      ...more,
    }
    return directory.finishedBefore(query)
  }
  const ids = (found: readonly FinishedRecord[]) => found.map(({ id }) => id)

  it('are counted by list for a period that is not set yet, without those that are erased already', async () => {
    put(
      over('a', 10),
      over('b', 20),
      over('late', 30),
      over('erased', -5),
      over('p', 15, { kind: 'proof' }),
      over('other', 5, { tenant: 't2' }),
    )
    directory.write(SHARD + 1, [row(`cre_20${'c'.padStart(10, '0')}`, { finishedAtMs: 12 })], {
      no: 1,
      index: 0,
    })
    expect(await directory.due({ tenant: 't1', beforeMs: 30 })).toEqual([
      { kind: 'credential', records: 3, firstFinishedMs: 10 },
      { kind: 'proof', records: 1, firstFinishedMs: 15 },
    ])
    expect(await directory.due({ tenant: 't1', beforeMs: 10 })).toEqual([])
  })

  it('are those of the shard and the organisation, of every kind, the oldest first', () => {
    put(
      over('c', 30),
      over('a', 10),
      over('other', 5, { tenant: 't2' }),
      row(idOf('running'), { state: 'offer-sent' }),
    )
    put(
      row(idOf('b', 'pro'), { kind: 'proof', finishedAtMs: 20 }),
      row('cre_20elsewhere', { finishedAtMs: 1 }),
    )
    expect(ids(before(31))).toEqual([idOf('a'), idOf('b', 'pro'), idOf('c')])
    expect(ids(before(30))).toEqual([idOf('a'), idOf('b', 'pro')])
    expect(ids(before(31, { tenant: 't2' }))).toEqual([idOf('other')])
    expect(ids(before(31, { tenant: 'nobody' }))).toEqual([])
    expect(directory.tenantsWithFinished(SHARD).toSorted()).toEqual(['t1', 't2'])
    expect(directory.tenantsWithFinished(0)).toEqual([])
  })

  it('come page by page, also when all finished at once', () => {
    put(...Array.from({ length: 25 }, (_, index) => over(`n${index}`, 7)))
    put(
      ...Array.from({ length: 25 }, (_, index) =>
        row(idOf(`n${index}`, 'pro'), { kind: 'proof', finishedAtMs: 7 }),
      ),
    )
    const found: string[] = []
    for (let after: FinishedRecord | null = null; ; ) {
      const page: readonly FinishedRecord[] = before(8, { after, limit: 10 })
      found.push(...ids(page))
      after = page.at(-1) ?? null
      if (after === null) break
    }
    expect(found).toHaveLength(50)
    expect(new Set(found).size).toBe(50)
  })

  it('keep their time when they are erased, and are then found beside those that are kept until they are', () => {
    put(over('a', 10), over('b', 20), over('c', 30), over('d', 40))
    put(over('b', -90, { updatedAtMs: 90 }), over('d', -95, { updatedAtMs: 95 }))
    expect(ids(before(21)).toSorted()).toEqual([idOf('a'), idOf('b')])
    expect(ids(before(20))).toEqual([idOf('a')])
    expect(ids(before(100)).toSorted()).toEqual(['a', 'b', 'c', 'd'].map((unique) => idOf(unique)))
    const erased = before(100, { erasedOnly: true })
    expect(ids(erased).toSorted()).toEqual([idOf('b'), idOf('d')])
    const first = before(100, { erasedOnly: true, limit: 1 })
    expect(ids([...first, ...before(100, { erasedOnly: true, after: first[0] ?? null })])).toEqual(
      ids(erased),
    )
    directory.swept(erased.map(({ row: each }) => each))
    put(over('b', -99, { updatedAtMs: 99 }))
    expect(before(100, { erasedOnly: true })).toEqual([])
  })

  it('are there until they are swept, whatever is written of them in between', () => {
    put(row(idOf('a'), { state: 'offer-sent' }))
    expect(ids(before(100))).toEqual([])
    put(over('a', 10))
    put(over('a', 50, { updatedAtMs: 50 }))
    put(row(idOf('a'), { updatedAtMs: 60, finishedAtMs: null }))
    const found = before(100)
    expect(found).toMatchObject([{ id: idOf('a'), finishedAtMs: 10 }])
    directory.swept(found.map((each) => each.row))
    put(over('a', 70, { updatedAtMs: 70 }))
    expect(ids(before(100))).toEqual([])
    expect(directory.tenantsWithFinished(SHARD)).toEqual([])
  })
})
