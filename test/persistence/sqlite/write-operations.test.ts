import { describe, expect, it } from 'vitest'
import { prepareReads } from '../../../src/persistence/sqlite/read-operations.ts'
import { prepareWrites } from '../../../src/persistence/sqlite/write-operations.ts'
import { SEGMENT_SLOTS } from '../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, timer } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  return { database, writes: prepareWrites(database), reads: prepareReads(database) }
}
const at = (no: number) => ({ copiedNo: no, publishedNo: no, projectedNo: no, timerAckMs: no })

describe('what the writing thread can do', () => {
  it('keeps the newest snapshot', () => {
    const { writes, reads } = open()
    for (const seq of [2, 9, 5]) writes.writeSnapshot(1, 'a', { seq, data: `of ${seq}` })
    expect(reads.readSnapshot(1, 'a')).toEqual({ seq: 9, data: 'of 9' })
  })

  it('moves each field of a checkpoint forward only, and never for an earlier epoch', () => {
    const { writes, reads } = open()
    writes.writeCheckpoint(1, 2, { ...at(10), publishedNo: 4 })
    writes.writeCheckpoint(1, 2, { ...at(8), publishedNo: 6 })
    writes.writeCheckpoint(1, 1, at(99))
    expect(reads.readCheckpoint(1)).toEqual({ ...at(10), publishedNo: 6 })
  })

  it('takes the slots of a retired segment out of the log, and keeps their rows for the actors', () => {
    const { writes, reads } = open()
    const slots = packedSlots(
      batchSlot(1, 0, 1, [entry('a', 1)]),
      openSlot(1, SEGMENT_SLOTS, 1),
      openSlot(2, 0, 1),
    )
    for (const slot of slots) writes.append(slot)
    writes.retireSegment(1, 0)
    writes.retireSegment(1, 0)
    expect([reads.firstSegment(1), reads.firstSegment(2)]).toEqual([1, 0])
    expect([reads.readLog(1, 0, 9), reads.readEvents(1, 'a', 0)]).toMatchObject([[], [{ seq: 1 }]])
    expect([reads.readLog(1, SEGMENT_SLOTS, 9).length, reads.readLog(2, 0, 9).length]).toEqual([1, 1])
    expect(packedSlots(openSlot(1, 5, 1)).map((slot) => writes.append(slot))).toEqual([{ is: 'retired' }])
  })

  it('moves a timer, and never takes away what a later slot set again', () => {
    const { writes, reads } = open()
    const set = [timer('a', 5), timer('a', 6)]
    for (const slot of packedSlots(batchSlot(1, 4, 1, [entry('a', 1, { set })]))) writes.append(slot)
    writes.timersDone(1, [timer('a', 6)], 3)
    writes.timerMoved(1, timer('a', 5), timer('a', 8), 4)
    expect(reads.timersDue(1, 0, 10, null, 10)).toEqual([timer('a', 6), timer('a', 8)])
  })

  it('never moves a position back', () => {
    const { writes, reads } = open()
    for (const [no, index] of [
      [3, 1],
      [4, 0],
      [3, 7],
    ] as const)
      writes.savePosition('reader', 1, { no, index })
    expect(reads.readPosition('reader', 1)).toEqual({ no: 4, index: 0 })
  })

  it('deletes bodies whose time is over, a few at a time', () => {
    const { writes, reads } = open()
    for (const [id, expiresAtMs] of [
      ['a', 5],
      ['b', 6],
      ['c', 7.9],
    ] as const)
      writes.putBody(id, Buffer.from(id), expiresAtMs)
    expect([writes.deleteExpiredBodies(6, 1), writes.deleteExpiredBodies(6, 9)]).toEqual([1, 1])
    expect(reads.getBody('c', 0)).not.toBeNull()
    writes.deleteBody('c')
    expect(reads.getBody('c', 0)).toBeNull()
  })
})
