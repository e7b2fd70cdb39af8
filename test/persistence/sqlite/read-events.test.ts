import { describe, expect, it } from 'vitest'
import { openForReading } from '../../../src/persistence/sqlite/database.ts'
import { prepareReadEvents } from '../../../src/persistence/sqlite/read-events.ts'
import { prepareWrites } from '../../../src/persistence/sqlite/write-operations.ts'
import type { LogSlot } from '../../../src/persistence/store-port.ts'
import { batchSlot, entry } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const writes = prepareWrites(database)
  const append = (slot: LogSlot): void => {
    for (const packed of packedSlots(slot)) writes.append(packed)
  }
  return { database, writes, append, read: prepareReadEvents(openForReading(database.name)) }
}

describe('reading the events of an actor', () => {
  it('follows its own chain among those of others, in order', () => {
    const { append, read } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1, { events: 2 }), entry('b', 1)]))
    append(batchSlot(1, 1, 1, [{ ...entry('a', 3), commandId: null }]))
    expect(read(1, 'a', 0)).toEqual([
      { seq: 1, commandId: 'command-1', data: '{"type":"Counted","value":1}' },
      { seq: 2, commandId: 'command-1', data: '{"type":"Counted","value":2}' },
      { seq: 3, commandId: null, data: '{"type":"Counted","value":3}' },
    ])
  })

  it('stops at the event after which it is asked', () => {
    const { append, read } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1, { events: 5 })]))
    expect(read(1, 'a', 3).map(({ seq }) => seq)).toEqual([4, 5])
    expect(read(1, 'a', 5)).toEqual([])
  })

  it('finds those of several entries of one slot, and of a slot of several rows', () => {
    const { append, read } = open()
    const others = Array.from({ length: 300 }, (_, index) => entry(`other-${index}`, 1))
    append(batchSlot(1, 0, 1, [entry('a', 1), ...others, entry('a', 2, { events: 2 }), entry('a', 4)]))
    append(batchSlot(1, 1, 1, [entry('a', 5), entry('b', 1), entry('a', 6)]))
    expect(read(1, 'a', 0).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    expect(read(1, 'a', 2).map(({ seq }) => seq)).toEqual([3, 4, 5, 6])
    expect(read(1, 'a', 5).map(({ seq }) => seq)).toEqual([6])
  })

  it('gives what there is when a row is missing', () => {
    const { database, append, read } = open()
    for (const seq of [1, 2, 3]) append(batchSlot(1, seq, 1, [entry('a', seq)]))
    database.exec('DELETE FROM slots WHERE id = 2')
    expect(read(1, 'a', 0).map(({ seq }) => seq)).toEqual([3])
  })

  it('finds none for an actor that is unknown, of another shard, or has a snapshot alone', () => {
    const { append, writes, read } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1)]))
    writes.writeSnapshot(1, 'b', { seq: 1, data: '{}' })
    expect([read(1, 'nobody', 0), read(2, 'a', 0), read(1, 'b', 0)]).toEqual([[], [], []])
  })

  it('sees on its own connection what was committed since it read last', () => {
    const { append, read } = open()
    for (const seq of [1, 2, 3]) {
      append(batchSlot(1, seq, 1, [entry('a', seq)]))
      expect(read(1, 'a', 0)).toHaveLength(seq)
    }
  })

  it('finds the ends that were written back since', () => {
    const { database, append, read } = open()
    append(batchSlot(1, 0, 1, [entry('a', 1)]))
    expect(read(1, 'a', 0)).toHaveLength(1)
    database.exec('UPDATE actors SET last_row = 1, last_seq = 1; UPDATE flushed SET heads_until = 1')
    append(batchSlot(1, 1, 1, [entry('b', 1)]))
    expect([read(1, 'a', 0).length, read(1, 'b', 0).length]).toEqual([1, 1])
  })
})
