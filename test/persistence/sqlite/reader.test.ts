import { describe, expect, it } from 'vitest'
import { Reader } from '../../../src/persistence/sqlite/reader.ts'
import { prepareWrites } from '../../../src/persistence/sqlite/write-operations.ts'
import { openSlot } from '../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from './parts/temporary-journal.ts'

describe('the reader', () => {
  it('answers each call, and fails only the one that is wrong', () => {
    const database = openJournal()
    const reader = new Reader(database.name)
    const answer = reader.run({
      slots: [],
      calls: [['firstSegment', 1], ['noSuchCall'], ['readPosition', 'reader', 1]],
    })
    expect(answer.values).toEqual([
      [0, 0],
      [2, null],
    ])
    expect(answer.failures).toEqual([[1, { is: 'defect', message: 'no such operation: noSuchCall' }]])
    reader.close()
  })

  it('sees what was committed before it began to read, and cannot write', () => {
    const database = openJournal()
    const reader = new Reader(database.name)
    const writes = prepareWrites(database)
    const count = (): unknown =>
      reader.run({ slots: [], calls: [['readLog', 1, 0, 9]] }).values.map(([, slots]) => (slots as []).length)
    expect(count()).toEqual([0])
    for (const slot of packedSlots(openSlot(1, 0, 1))) writes.append(slot)
    expect(count()).toEqual([1])
    reader.close()
  })

  it('opens the file again when it was closed', () => {
    const reader = new Reader(openJournal().name)
    reader.close()
    expect(reader.run({ slots: [], calls: [['firstSegment', 1]] }).values).toEqual([[0, 0]])
    reader.close()
  })
})
