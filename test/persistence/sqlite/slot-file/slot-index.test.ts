import { describe, expect, it } from 'vitest'
import { SlotIndex } from '../../../../src/persistence/sqlite/slot-file/slot-index.ts'
import { openJournal } from '../parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const index = new SlotIndex(database)
  const insert = database.prepare(
    `INSERT INTO slots (id, shard, no, epoch, rest, layout, body) VALUES (?, ?, ?, 1, 0, x'', '')`,
  )
  return {
    database,
    index,
    write: (shard: number, no: number): void => void insert.run(index.take(shard, no, 1), shard, no),
    indexed: (): unknown => database.prepare('SELECT shard, no, slot FROM slot_index').raw().all(),
  }
}

describe('the slot index', () => {
  it('numbers the rows in the order in which the slots are taken, each with as many as it has', () => {
    const { index } = open()
    expect([index.take(9, 4, 1), index.take(2, 0, 3), index.take(9, 5, 1)]).toEqual([1, 2, 5])
    expect([index.find(9, 4), index.find(2, 0), index.find(9, 5)]).toEqual([1, 2, 5])
  })

  it('knows a free slot: after the last, in a gap, and in a shard without any', () => {
    const { index } = open()
    index.take(1, 5, 1)
    expect([index.find(1, 6), index.find(1, 4), index.find(2, 0)]).toEqual([null, null, null])
  })

  it('is written in the order of its key', () => {
    const { index, write, indexed } = open()
    for (const [shard, no] of [
      [9, 1],
      [9, 0],
      [2, 0],
    ] as const)
      write(shard, no)
    expect(indexed()).toEqual([])
    index.flush()
    expect(indexed()).toEqual([
      [2, 0, 3],
      [9, 0, 2],
      [9, 1, 1],
    ])
    expect(index.find(9, 0)).toBe(2)
  })

  it('finds again what was not written when the file is opened', () => {
    const { database, index, write } = open()
    write(1, 0)
    index.flush()
    write(1, 1)
    const again = new SlotIndex(database)
    expect([again.find(1, 0), again.find(1, 1), again.find(1, 2)]).toEqual([1, 2, null])
    expect(again.take(1, 2, 1)).toBe(3)
  })

  it('goes on after all rows of the last slot', () => {
    const { database, index, write } = open()
    write(1, 0)
    database.exec(`INSERT INTO slots (id, rest, layout, body) VALUES (2, 0, x'', '')`)
    index.reload()
    expect([index.find(1, 0), index.take(1, 1, 1)]).toEqual([1, 3])
  })

  it('forgets what was rolled back', () => {
    const { database, index, write } = open()
    write(1, 0)
    database.exec('BEGIN')
    write(1, 1)
    database.exec('ROLLBACK')
    index.reload()
    expect([index.find(1, 0), index.find(1, 1)]).toEqual([1, null])
    expect(index.take(1, 1, 1)).toBe(2)
  })

  it('is not written for a few slots', () => {
    const { index, write, indexed } = open()
    write(1, 0)
    index.flushWhenDue()
    expect(indexed()).toEqual([])
  })
})
