import { describe, expect, it } from 'vitest'
import { ActorHeads } from '../../../src/persistence/sqlite/actor-heads.ts'
import { Appends } from '../../../src/persistence/sqlite/appends.ts'
import { SlotIndex } from '../../../src/persistence/sqlite/slot-index.ts'
import { TimerTable } from '../../../src/persistence/sqlite/timer-table.ts'
import { type LogSlot, SEGMENT_SLOTS } from '../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, timer } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const index = new SlotIndex(database)
  const appends = new Appends(database, new ActorHeads(database), index, new TimerTable(database))
  return {
    database,
    appends,
    append: (slot: LogSlot) => packedSlots(slot).map((packed) => appends.append(packed))[0],
    all: (query: string): unknown => database.prepare(query).raw().all(),
  }
}

describe('appending a slot', () => {
  it('writes its events as chains of their actors', () => {
    const { append, all } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1, { events: 3 }), entry('b', 1)]))
    append(batchSlot(1, 1, 1, [entry('a', 4)]))
    expect(all('SELECT id, actor, seq, previous, command_id FROM events')).toEqual([
      [1, 1, 1, null, 'command-1'],
      [2, 1, 2, 1, 'command-1'],
      [3, 1, 3, 2, 'command-1'],
      [4, 2, 1, null, 'command-1'],
      [5, 1, 4, 3, 'command-4'],
    ])
    expect(all('SELECT no, first_event, last_event, shape FROM slots')).toEqual([
      [0, 1, 4, '[3,1]'],
      [1, 5, 5, null],
    ])
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
    expect(all('SELECT count(*) FROM events')).toEqual([[0]])
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
