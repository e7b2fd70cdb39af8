import { describe, expect, it } from 'vitest'
import {
  prepareLastNo,
  prepareLocate,
  UnindexedSlots,
} from '../../../../src/persistence/sqlite/slot-file/locate-slots.ts'
import { prepareWrites } from '../../../../src/persistence/sqlite/write-operations.ts'
import { openSlot } from '../../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from '../parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const recent = new UnindexedSlots(database)
  const writes = prepareWrites(database)
  return {
    locate: prepareLocate(database, recent),
    lastNo: prepareLastNo(database, recent),
    append: (shard: number, no: number): void => {
      for (const slot of packedSlots(openSlot(shard, no, 1))) writes.append(slot)
    },
    /** Retiring writes the index as a whole. */
    flush: (): void => writes.retireSegment(99, 0),
  }
}

describe('the rows of slots', () => {
  it('are found in the index, after it, and across its end', () => {
    const { locate, append, flush } = open()
    append(1, 0)
    append(1, 1)
    flush()
    append(2, 0)
    append(1, 2)
    expect(locate(1, 0, 10)).toEqual([1, 2, 4])
    expect(locate(1, 2, 10)).toEqual([4])
    expect(locate(1, 0, 2)).toEqual([1, 2])
    flush()
    expect(locate(1, 0, 10)).toEqual([1, 2, 4])
  })

  it('end at the first gap, whether it is in the index or after it', () => {
    const { locate, append, flush } = open()
    append(1, 0)
    append(1, 2)
    expect(locate(1, 0, 10)).toEqual([1])
    flush()
    append(1, 5)
    expect(locate(1, 0, 10)).toEqual([1])
    expect(locate(1, 2, 10)).toEqual([2])
  })

  it('are none for a shard without slots', () => {
    expect(open().locate(1, 0, 10)).toEqual([])
  })
})

describe('the last slot of a shard', () => {
  it('is null, then the highest, in the index or after it', () => {
    const { lastNo, append, flush } = open()
    expect(lastNo(1)).toBeNull()
    append(1, 3)
    append(2, 8)
    expect([lastNo(1), lastNo(2)]).toEqual([3, 8])
    flush()
    expect([lastNo(1), lastNo(2)]).toEqual([3, 8])
    append(1, 4)
    expect(lastNo(1)).toBe(4)
  })
})
