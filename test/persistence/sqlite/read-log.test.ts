import { describe, expect, it } from 'vitest'
import { UnindexedSlots } from '../../../src/persistence/sqlite/slot-file/locate-slots.ts'
import { prepareReadLog } from '../../../src/persistence/sqlite/read-log.ts'
import { prepareWrites } from '../../../src/persistence/sqlite/write-operations.ts'
import { batchSlot, entry, openSlot, timer } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const writes = prepareWrites(database)
  return { database, writes, read: prepareReadLog(database, new UnindexedSlots(database)) }
}

describe('reading the log', () => {
  it('joins each slot with its entries as they were appended', () => {
    const { writes, read } = open()
    const slots = [
      openSlot(1, 0, 3, ''),
      batchSlot(1, 1, 3, [entry('a', 1), entry('b', 1)]),
      batchSlot(1, 2, 3, [
        entry('a', 2, { events: 3, set: [timer('a', 9)], cleared: [timer('b', 4)] }),
        { ...entry('b', 2, { events: 2 }), commandId: null },
      ]),
    ]
    for (const slot of packedSlots(...slots)) writes.append(slot)
    expect(read(1, 0, 10)).toEqual(slots)
    expect(read(1, 1, 1)).toEqual([slots[1]])
    expect(read(2, 0, 10)).toEqual([])
  })

  it('joins the rows of a long slot', () => {
    const { writes, read } = open()
    const entries = Array.from({ length: 600 }, (_, index) => entry(`actor-${index}`, 1, { events: 2 }))
    const slots = [batchSlot(1, 0, 3, entries), batchSlot(1, 1, 3, [entry('a', 1)])]
    for (const slot of packedSlots(...slots)) writes.append(slot)
    expect(read(1, 0, 10)).toEqual(slots)
  })

  it('says when a slot misses a part or an actor, or the log a slot', () => {
    const { database, writes, read } = open()
    const large = { ...entry('a', 1), events: ['x'.repeat(9_000)] }
    for (const slot of packedSlots(batchSlot(1, 0, 1, [large, entry('b', 1)]))) writes.append(slot)
    database.exec('DELETE FROM slots WHERE no IS NULL')
    expect(() => read(1, 0, 1)).toThrow('slot 0 of shard 1 has lost a part')
    database.exec('DELETE FROM actors')
    expect(() => read(1, 0, 1)).toThrow('an actor that the file does not have')
    writes.retireSegment(99, 0)
    database.exec('DELETE FROM slots')
    expect(() => read(1, 0, 1)).toThrow('in the index and not in the log')
  })
})
