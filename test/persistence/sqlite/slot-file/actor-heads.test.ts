import { describe, expect, it } from 'vitest'
import { ActorHeads } from '../../../../src/persistence/sqlite/slot-file/actor-heads.ts'
import { LayoutWriter } from '../../../../src/persistence/sqlite/slot-file/row-layout.ts'
import { BATCH } from '../../../../src/persistence/sqlite/slot-file/slot-rows.ts'
import { openJournal } from '../parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const heads = new ActorHeads(database)
  const insert = database.prepare(
    `INSERT INTO slots (id, shard, no, epoch, rest, layout, body) VALUES (?, 1, ?, 1, 0, ?, '')`,
  )
  const layout = new LayoutWriter()
  let row = Number(database.prepare('SELECT ifnull(max(id), 0) FROM slots').pluck().get())
  /** A row with one event, as a slot would write it; the row before it is the answer. */
  const write = (name: string, seq: number, to = heads): number => {
    const { id, previousRow } = to.extend(1, name, seq, 1, row + 1)
    row++
    layout.begin()
    for (const number of [BATCH, 0, id, previousRow === 0 ? 0 : row - previousRow, seq, 0, 0, 1, 0])
      layout.add(number)
    insert.run(row, row, layout.take())
    return previousRow
  }
  const rollBack = (): void => {
    database.exec('ROLLBACK')
    row = Number(database.prepare('SELECT ifnull(max(id), 0) FROM slots').pluck().get())
    heads.reload()
  }
  return { database, heads, write, rollBack }
}

describe('the ends of the chains', () => {
  it('link each row to the one before it of the same actor', () => {
    const { write } = open()
    expect([write('a', 1), write('b', 1), write('a', 2), write('b', 2)]).toEqual([0, 0, 1, 2])
  })

  it('move on by as many events as there are', () => {
    const { heads } = open()
    heads.extend(1, 'a', 1, 5, 1)
    expect(heads.extend(1, 'a', 6, 2, 2)).toMatchObject({ previousRow: 1, lastRow: 2, lastSeq: 7 })
  })

  it('refuse a gap, a repetition and a first event that is none', () => {
    const { write } = open()
    expect(() => write('a', 2)).toThrow('a begins with event 2')
    write('a', 1)
    expect(() => write('a', 3)).toThrow('a has 1 events, the next cannot be 3')
    expect(() => write('a', 1)).toThrow('a has 1 events, the next cannot be 1')
  })

  it('are found again by those that open the file', () => {
    const { database, heads, write } = open()
    write('a', 1)
    write('b', 1)
    write('a', 2)
    const again = new ActorHeads(database)
    expect([write('a', 3, again), write('b', 2, again)]).toEqual([3, 2])
    heads.reload()
    expect([write('a', 4), write('b', 3)]).toEqual([4, 5])
  })

  it('forget what was rolled back', () => {
    const { database, write, rollBack } = open()
    write('a', 1)
    database.exec('BEGIN')
    write('a', 2)
    write('b', 1)
    rollBack()
    expect([write('a', 2), write('b', 1)]).toEqual([1, 0])
  })

  it('give an actor without events a row that its first event takes', () => {
    const { heads } = open()
    const id = heads.findOrCreate(1, 'a')
    expect(heads.findOrCreate(1, 'a')).toBe(id)
    expect(heads.extend(1, 'a', 1, 1, 1)).toMatchObject({ id, previousRow: 0 })
  })

  it('are written back when many actors changed', () => {
    const { database, heads, write } = open()
    const actors = Array.from({ length: 4_096 }, (_, index) => `actor-${index}`)
    const until = database.prepare('SELECT heads_until FROM flushed').pluck()
    database.exec('BEGIN')
    for (const seq of [1, 2]) for (const actor of actors.slice(1)) write(actor, seq)
    heads.flushWhenDue()
    expect(until.get()).toBe(0)
    write('actor-0', 1)
    write('actor-0', 2)
    heads.flushWhenDue()
    database.exec('COMMIT')
    expect(until.get()).toBe(8_192)
    expect(database.prepare('SELECT count(*) FROM actors WHERE last_seq = 2').pluck().get()).toBe(4_096)
  })
})
