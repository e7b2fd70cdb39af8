import { describe, expect, it } from 'vitest'
import { recordsOf } from '../../../src/persistence/shard-log-tail.ts'
import { UnindexedSlots } from '../../../src/persistence/sqlite/slot-file/locate-slots.ts'
import { prepareReadEvents } from '../../../src/persistence/sqlite/read-events.ts'
import { prepareReadLog } from '../../../src/persistence/sqlite/read-log.ts'
import { prepareWrites } from '../../../src/persistence/sqlite/write-operations.ts'
import type { TailPosition } from '../../../src/ports/journal.ts'
import { batchSlot, entry, openSlot, someActor, timer } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const writes = prepareWrites(database)
  return { database, writes, read: prepareReadLog(database, new UnindexedSlots(database)) }
}

describe('reading the log', () => {
  it('joins the rows of a long slot, and finds an actor that stands in several of them', () => {
    const { database, writes, read } = open()
    const actor = someActor(1)
    const others = Array.from({ length: 600 }, (_, index) => entry(`actor-${index}`, 1, { events: 2 }))
    const last = entry(actor, 2, { events: 2, set: [timer(actor, 5)] })
    const slots = [
      batchSlot(1, 0, 3, [entry(actor, 1), ...others, last]),
      batchSlot(1, 1, 3, [entry(actor, 4)]),
    ]
    for (const slot of packedSlots(...slots)) writes.append(slot)
    expect(read(1, 0, 10)).toEqual(slots)
    const events = prepareReadEvents(database)
    expect(events(actor, 0).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(events(actor, 2).map(({ seq }) => seq)).toEqual([3, 4])
  })

  it('leaves every entry in its place where another of its slot is gone, so that a reader goes on where it was', () => {
    const { writes, read } = open()
    const [gone, neighbour, last] = [someActor(1), someActor(1), someActor(1)]
    const slots = [
      openSlot(1, 0, 1),
      batchSlot(1, 1, 1, [entry(gone, 1), entry(neighbour, 1), entry(last, 1)]),
    ]
    for (const slot of packedSlots(...slots)) writes.append(slot)
    const left = (from: TailPosition | null) =>
      read(1, 0, 10).flatMap((slot) => recordsOf(slot, from).map(({ entry: { actor } }) => actor))
    const afterNeighbour = { no: 1, index: 1 }
    expect(left(afterNeighbour)).toEqual([last])
    writes.forget(1, [{ actor: gone, seq: 1, data: null, atNo: 1 }])
    expect(left(afterNeighbour)).toEqual([last])
    expect(left(null)).toEqual([neighbour, last])
  })

  it('says when a slot misses a part, or the log a slot', () => {
    const { database, writes, read } = open()
    const large = { ...entry('a', 1), events: ['x'.repeat(9_000)] }
    for (const slot of packedSlots(batchSlot(1, 0, 1, [large, entry('b', 1)]))) writes.append(slot)
    database.exec('DELETE FROM slots WHERE no IS NULL')
    expect(() => read(1, 0, 1)).toThrow('slot 0 of shard 1 has lost a part')
    database.exec(
      'INSERT INTO slot_index (shard, no, slot) VALUES (1, 0, 1); UPDATE flushed SET index_until = 2',
    )
    database.exec('DELETE FROM slots')
    expect(() => read(1, 0, 1)).toThrow('in the index and not in the log')
    const [again] = packedSlots(openSlot(1, 0, 2))
    expect(() => again && writes.append(again)).toThrow('in the index and not in the log')
  })

  it('says when a row has lost its end', () => {
    const { database, writes, read } = open()
    for (const slot of packedSlots(batchSlot(1, 0, 1, [entry('a', 1)]))) writes.append(slot)
    database.exec('UPDATE slots SET body = substr(body, 1, length(body) - 1)')
    expect(() => read(1, 0, 1)).toThrow('lost its end')
  })
})
