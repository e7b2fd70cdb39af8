import { expect, it } from 'vitest'
import { JournalReader } from '../../../src/persistence/sqlite/reader.ts'
import { openJournal } from './parts/temporary-journal.ts'

it('the reader answers each call, fails only the one that is wrong, and opens a closed file again', () => {
  const reader = new JournalReader(openJournal().name)
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
  expect(reader.run({ slots: [], calls: [['firstSegment', 1]] }).values).toEqual([[0, 0]])
  reader.close()
})
