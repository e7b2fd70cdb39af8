import { describe, expect, it } from 'vitest'
import { ActorHeads } from '../../../src/persistence/sqlite/actor-heads.ts'
import { openJournal } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const heads = new ActorHeads(database)
  const insert = database.prepare(
    `INSERT INTO events (id, actor, seq, previous, data) VALUES (?, ?, ?, ?, '{}')`,
  )
  /** One event, as a slot would write it. */
  const write = (name: string, seq: number, to = heads): number | null => {
    const event = to.lastEvent + 1
    const { id, previous } = to.extend(1, name, seq, 1, event)
    insert.run(event, id, seq, previous)
    return previous
  }
  return { database, heads, write }
}

describe('the ends of the chains', () => {
  it('link each event to the one before it of the same actor', () => {
    const { write } = open()
    expect([write('a', 1), write('b', 1), write('a', 2), write('b', 2)]).toEqual([null, null, 1, 2])
  })

  it('move on by as many events as there are', () => {
    const { heads } = open()
    heads.extend(1, 'a', 1, 5, 1)
    expect(heads.lastEvent).toBe(5)
    expect(heads.extend(1, 'a', 6, 2, 6).previous).toBe(5)
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
    expect(again.lastEvent).toBe(3)
    expect([write('a', 3, again), write('b', 2, again)]).toEqual([3, 2])
    heads.reload()
    expect(heads.lastEvent).toBe(5)
  })

  it('forget what was rolled back', () => {
    const { database, heads, write } = open()
    write('a', 1)
    database.exec('BEGIN')
    write('a', 2)
    write('b', 1)
    database.exec('ROLLBACK')
    heads.reload()
    expect(heads.lastEvent).toBe(1)
    expect([write('a', 2), write('b', 1)]).toEqual([1, null])
  })

  it('give an actor without events a row that its first event takes', () => {
    const { heads } = open()
    const id = heads.findOrCreate(1, 'a')
    expect(heads.findOrCreate(1, 'a')).toBe(id)
    expect(heads.extend(1, 'a', 1, 1, 1)).toEqual({ id, previous: null })
  })

  it('are written back when many actors changed', () => {
    const { database, heads, write } = open()
    const actors = Array.from({ length: 4_096 }, (_, index) => `actor-${index}`)
    const until = database.prepare('SELECT until_event FROM flushed').pluck()
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
