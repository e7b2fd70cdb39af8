import { describe, expect, it } from 'vitest'
import { ActorHeads } from '../../../../src/persistence/sqlite/slot-file/actor-heads.ts'
import { Appends } from '../../../../src/persistence/sqlite/slot-file/appends.ts'
import { SlotIndex } from '../../../../src/persistence/sqlite/slot-file/slot-index.ts'
import { RowEntries } from '../../../../src/persistence/sqlite/slot-file/slot-rows.ts'
import { TimerTable } from '../../../../src/persistence/sqlite/timer-table.ts'
import { type LogSlot, SEGMENT_SLOTS } from '../../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, timer } from '../../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from '../parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const index = new SlotIndex(database)
  const appends = new Appends(database, new ActorHeads(database), index, new TimerTable(database))
  return {
    database,
    appends,
    append: (slot: LogSlot) => packedSlots(slot).map((packed) => appends.append(packed))[0],
    all: (query: string): unknown => database.prepare(query).raw().all(),
    /** Row, actor, rows back, first sequence and events of each entry. */
    chains: (): readonly (readonly number[])[] =>
      database
        .prepare<[], { id: number; layout: Buffer }>('SELECT id, layout FROM slots ORDER BY id')
        .all()
        .flatMap(({ id, layout }) => {
          const entries = new RowEntries(layout, '')
          const found: number[][] = []
          while (entries.next())
            found.push([id, entries.actor, entries.rowsBack, entries.seq, entries.eventCount])
          return found
        }),
  }
}

describe('appending a slot', () => {
  it('writes a row, in which each entry leads back to the row of its actor before', () => {
    const { append, all, chains } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1, { events: 3 }), entry('b', 1)]))
    append(batchSlot(1, 1, 1, [entry('a', 4)]))
    append(batchSlot(1, 2, 1, [entry('b', 2)]))
    expect(all('SELECT id, shard, no, epoch, rest FROM slots')).toEqual([
      [1, 1, 0, 1, 0],
      [2, 1, 1, 1, 0],
      [3, 1, 2, 1, 0],
    ])
    expect(chains()).toEqual([
      [1, 1, 0, 1, 3],
      [1, 2, 0, 1, 1],
      [2, 1, 1, 4, 1],
      [3, 2, 2, 2, 1],
    ])
  })

  it('writes a long one as several rows, of which the first alone has a number', () => {
    const { append, all, chains } = open()
    const large = (actor: string) => ({ ...entry(actor, 1), events: ['x'.repeat(9_000)] })
    append(batchSlot(1, 0, 1, [large('a'), large('b'), entry('a', 2, { set: [timer('a', 5)] })]))
    append(batchSlot(1, 1, 1, [entry('a', 3)]))
    expect(all('SELECT id, shard, no, epoch, rest FROM slots')).toEqual([
      [1, 1, 0, 1, 2],
      [2, null, null, null, 0],
      [3, null, null, null, 0],
      [4, 1, 1, 1, 0],
    ])
    expect(chains()).toEqual([
      [1, 1, 0, 1, 1],
      [2, 2, 0, 1, 1],
      [3, 1, 2, 2, 1],
      [4, 1, 1, 3, 1],
    ])
    expect(all('SELECT due_ms, set_no FROM timers')).toEqual([[5, 0]])
  })

  it('sets and clears timers, a cleared one before the same is set again', () => {
    const { append, all } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1, { set: [timer('a', 5), timer('a', 6)] })]))
    append(
      batchSlot(1, 1, 1, [entry('a', 2, { set: [timer('a', 6)], cleared: [timer('a', 5), timer('a', 6)] })]),
    )
    expect(all('SELECT due_ms, set_no FROM timers')).toEqual([[6, 1]])
  })

  it('names the occupant of a slot that is taken, and writes nothing', () => {
    const { append, all } = open()
    const first = openSlot(1, 0, 7)
    expect(append(first)).toEqual({ is: 'written' })
    const occupied = { is: 'occupied', epoch: 7, batchId: first.batchId }
    expect(append(batchSlot(1, 0, 8, [entry('a', 1)]))).toEqual(occupied)
    expect(all('SELECT count(*) FROM slots')).toEqual([[1]])
  })

  it('leaves nothing of a slot that was refused in the next', () => {
    const { append, chains } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1)]))
    expect(() => append(batchSlot(2, 0, 1, [entry('b', 1), entry('a', 7)]))).toThrow('cannot be 7')
    append(openSlot(3, 0, 1))
    expect(chains()).toEqual([[1, 1, 0, 1, 1]])
  })

  it('refuses a retired segment, once told that it was retired', () => {
    const { database, appends, append } = open()
    append(openSlot(1, SEGMENT_SLOTS, 1))
    database.exec('INSERT INTO shards (shard, first_segment) VALUES (1, 1)')
    appends.forget()
    expect(append(openSlot(1, SEGMENT_SLOTS - 1, 1))).toEqual({ is: 'retired' })
    expect(append(openSlot(1, SEGMENT_SLOTS + 1, 1))).toEqual({ is: 'written' })
    expect(append(openSlot(2, 0, 1))).toEqual({ is: 'written' })
  })

  it('says when the index names a slot that the log does not have', () => {
    const { database, append } = open()
    append(openSlot(1, 0, 1))
    database.exec('DELETE FROM slots')
    expect(() => append(openSlot(1, 0, 2))).toThrow('in the index and not in the log')
  })
})
