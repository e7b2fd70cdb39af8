import { describe, expect, it } from 'vitest'
import { prepareReads } from '../../../src/persistence/sqlite/read-operations.ts'
import { prepareWrites } from '../../../src/persistence/sqlite/write-operations.ts'
import { batchSlot, entry, openSlot, timer } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  return { database, writes: prepareWrites(database), reads: prepareReads(database) }
}

describe('what the reading thread can do', () => {
  it('a checkpoint counts every slot as copied, whatever was written of it', () => {
    const { writes, reads } = open()
    expect(reads.readCheckpoint(1)).toBeNull()
    for (const slot of packedSlots(openSlot(1, 0, 1), openSlot(1, 1, 1))) writes.append(slot)
    expect(reads.readCheckpoint(1)).toEqual({ copiedNo: 1, publishedNo: -1, projectedNo: -1, timerAckMs: 0 })
    writes.writeCheckpoint(1, 1, { copiedNo: 0, publishedNo: 1, projectedNo: 0, timerAckMs: 70 })
    expect(reads.readCheckpoint(1)).toEqual({ copiedNo: 1, publishedNo: 1, projectedNo: 0, timerAckMs: 70 })
  })

  it('timers go on right after the row of the page before', () => {
    const { writes, reads } = open()
    const set = [timer('a', 5), timer('a', 5, 'reminder'), timer('b', 5), timer('a', 6)]
    for (const slot of packedSlots(batchSlot(1, 0, 1, [entry('a', 1, { set })]))) writes.append(slot)
    expect(reads.timersDue(1, 0, 7, null, 2)).toEqual(set.slice(0, 2))
    expect(reads.timersDue(1, 0, 7, set[1] ?? null, 9)).toEqual(set.slice(2))
    expect(reads.timersDue(1, 6, 7, null, 9)).toEqual(set.slice(3))
    expect(reads.timersDue(1, 0, 6, null, 9)).toEqual(set.slice(0, 3))
  })

  it('actors are listed by name within their shard', () => {
    const { writes, reads } = open()
    const entries = ['c', 'a', 'b'].map((actor) => entry(actor, 1))
    for (const slot of packedSlots(batchSlot(1, 0, 1, entries), batchSlot(2, 0, 1, [entry('d', 1)])))
      writes.append(slot)
    expect([reads.listActors(1, null, 2), reads.listActors(1, 'b', 2)]).toEqual([['a', 'b'], ['c']])
  })

  it('a body is there until its time is over', () => {
    const { writes, reads } = open()
    writes.putBody('body', Buffer.from('text'), 100)
    expect(Buffer.from(reads.getBody('body', 99) ?? []).toString()).toBe('text')
    expect([reads.getBody('body', 100), reads.getBody('other', 0)]).toEqual([null, null])
  })

  it('what nobody wrote is null, or the beginning', () => {
    const { reads } = open()
    expect([reads.readSnapshot(1, 'a'), reads.readPosition('reader', 1), reads.firstSegment(1)]).toEqual([
      null,
      null,
      0,
    ])
  })
})
