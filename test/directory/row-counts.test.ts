import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { row } from './directory-rows.ts'

const HOUR_MS = 3_600_000
const WAITING = ['offer-sent', 'request-received']

let directory: SqliteDirectory
beforeEach(() => {
  directory = new SqliteDirectory(':memory:')
})
afterEach(() => directory[Symbol.dispose]())

/** A record that came into one state after the other, each at its hour. */
const record = (
  id: string,
  steps: readonly (readonly [name: string, hour: number])[],
  more: Partial<DirectoryRow> = {},
): DirectoryRow =>
  row(id, {
    state: steps.findLast(([name]) => !name.startsWith('why:'))?.[0] ?? '',
    steps: steps.map(([name, hour]) => [name, hour * HOUR_MS + 1_234]),
    ...more,
  })
const put = (...rows: readonly DirectoryRow[]) => directory.write(0, rows, { no: 1, index: 0 })
const overview = async (of: SqliteDirectory = directory, tenant: string | null = 't1', hoursEach = 1) => {
  const lists = [{ kind: 'credential', waiting: WAITING }]
  const [counted] = await of.overview({ tenant, lists, fromHour: 100, toHour: 104, hoursEach })
  return counted
}

describe('what lists count', () => {
  it('is when records came into their states, hour by hour, and how many are in each now', async () => {
    put(
      record('a', [
        ['offer-sent', 100],
        ['request-received', 100],
        ['done', 102],
      ]),
      record('b', [['offer-sent', 100]]),
      record('c', [
        ['offer-sent', 101],
        ['why:no_answer', 103],
        ['abandoned', 103],
      ]),
      row('timeless'),
    )
    // A row that does not say when counts only where it is now.
    expect(await overview()).toMatchObject({
      now: { done: 2, 'offer-sent': 1, abandoned: 1 },
      counts: {
        'offer-sent': [2, 1, 0, 0],
        'request-received': [1, 0, 0, 0],
        done: [0, 0, 1, 0],
        'why:no_answer': [0, 0, 0, 1],
        abandoned: [0, 0, 0, 1],
      },
    })
    expect(await overview(directory, 't1', 2)).toMatchObject({
      counts: { 'offer-sent': [3, 0], done: [0, 1] },
    })
    expect(await overview(directory, 't2')).toMatchObject({ now: {}, counts: {}, oldest: null })
  })

  it('changes by what a row says anew, however often it comes', async () => {
    const first = record('a', [['offer-sent', 100]])
    const second = record('a', [
      ['offer-sent', 100],
      ['done', 101],
    ])
    for (const each of [first, second, second, first, second]) put(each)
    put(first, second, row('a', { state: 'done' }))
    expect(await overview()).toMatchObject({
      now: { done: 1 },
      counts: { 'offer-sent': [1, 0, 0, 0], done: [0, 1, 0, 0] },
    })
  })

  it('is right about what is now where a node of the release before says only that', async () => {
    put(record('a', [['offer-sent', 100]]), record('b', [['offer-sent', 101]]), row('b', { state: 'done' }))
    const expected = { now: { 'offer-sent': 1, done: 1 }, counts: { 'offer-sent': [1, 1, 0, 0] } }
    expect(await overview()).toMatchObject(expected)
    expect(await overview(directory, null)).toMatchObject(expected)
    put(
      record('b', [
        ['offer-sent', 101],
        ['done', 102],
      ]),
    )
    expect(await overview(directory, null)).toMatchObject({
      now: expected.now,
      counts: { 'offer-sent': [1, 1, 0, 0], done: [0, 0, 1, 0] },
    })
  })

  it('finds the oldest that waits, of one organisation and of all', async () => {
    put(
      record('new', [['offer-sent', 100]], { createdAtMs: 30 }),
      record('old', [['request-received', 100]], { createdAtMs: 20 }),
      record('over', [['done', 100]], { createdAtMs: 10 }),
      record('elsewhere', [['offer-sent', 100]], { createdAtMs: 5, tenant: 't2' }),
    )
    expect((await overview())?.oldest).toEqual({
      id: 'old',
      tenant: 't1',
      state: 'request-received',
      createdAtMs: 20,
    })
    expect((await overview(directory, null))?.oldest).toMatchObject({ id: 'elsewhere', tenant: 't2' })
  })

  it('is added up over organisations, and goes with a row, a list and a deleted organisation', async () => {
    const steps = [
      ['offer-sent', 100],
      ['done', 101],
    ] as const
    put(record('a', steps), record('b', steps), record('c', steps, { tenant: 't2' }))
    const done = async (tenant: string | null) => (await overview(directory, tenant))?.counts['done']
    expect(await done(null)).toEqual([0, 3, 0, 0])
    put(row('a', { isGone: true }))
    expect([await done('t1'), await done(null)]).toEqual([
      [0, 1, 0, 0],
      [0, 2, 0, 0],
    ])
    const rows = directory.recordsOf({
      tenant: 't2',
      kind: 'credential',
      isOfOperators: false,
      after: null,
      limit: 10,
    })
    directory.unlist(rows.map((each) => each.row))
    expect([await done('t2'), await done(null)]).toEqual([undefined, [0, 1, 0, 0]])
    put(row('t1', { tenant: 'operators', kind: 'tenant', endsAllBut: ['audit-entry'] }))
    expect(await overview(directory, null)).toMatchObject({ now: {}, counts: {}, oldest: null })
    expect(await overview()).toMatchObject({ now: {}, counts: {} })
  })

  it('has nothing of a write that failed, and counts on', async () => {
    put(record('a', [['offer-sent', 100]]))
    const broken = row('b', { createdAtMs: Number.NaN })
    expect(() => put(record('c', [['brand-new', 100]]), broken)).toThrow()
    put(record('d', [['offer-sent', 101]]))
    expect(await overview()).toMatchObject({
      now: { 'offer-sent': 2 },
      counts: { 'offer-sent': [1, 1, 0, 0] },
    })
    expect((await overview())?.counts).not.toHaveProperty('brand-new')
  })

  it('forgets hours, and neither counts them again nor below zero', async () => {
    const early = [['offer-sent', 100]] as const
    put(record('a', early), record('b', early, { tenant: 't2' }))
    await directory.forgetHours(101)
    await directory.forgetHours(50)
    put(
      record('a', [...early, ['done', 102]]),
      record('c', [
        ['offer-sent', 99],
        ['done', 102],
      ]),
      row('b', { tenant: 't2', isGone: true }),
    )
    const expected = { now: { done: 2 }, counts: { done: [0, 0, 2, 0] } }
    expect(await overview()).toMatchObject(expected)
    expect(await overview(directory, null)).toMatchObject(expected)
    expect((await overview(directory, null))?.counts).not.toHaveProperty('offer-sent')
  })

  it('is in the file with the rows, and goes on from there', async () => {
    const file = join(temporaryFolder('row-counts'), 'directory.sqlite')
    const open = () => {
      const opened = new SqliteDirectory(file)
      onTestFinished(() => opened[Symbol.dispose]())
      return opened
    }
    const before = open()
    before.write(0, [record('a', [['offer-sent', 100]])], { no: 1, index: 0 })
    before[Symbol.dispose]()
    const after = open()
    // A log that is read again brings what the file has.
    after.write(0, [record('a', [['offer-sent', 100]])], { no: 1, index: 0 })
    const done = record('a', [
      ['offer-sent', 100],
      ['done', 103],
    ])
    after.write(0, [done], { no: 2, index: 0 })
    expect(await overview(after)).toMatchObject({
      now: { done: 1 },
      counts: { 'offer-sent': [1, 0, 0, 0], done: [0, 0, 0, 1] },
    })
  })
})
