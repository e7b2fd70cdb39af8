import { describe, expect, it } from 'vitest'
import { FirstRows } from '../../src/directory/first-rows.ts'
import type { TailRecord } from '../../src/ports/journal.ts'

const entryOf = (no: number, actor: string): TailRecord => ({
  no,
  index: 0,
  epoch: 1,
  entry: { actor, seq: 1, commandId: null, events: [], timersSet: [], timersCleared: [] },
})

describe('first rows that wait', () => {
  it('keep the file before the first entry of a record that went whole and began anew in one page', () => {
    const rows = new FirstRows({ mayWait: () => true, sleep: () => Promise.resolve(), due: () => undefined })
    const page = rows.of(0, { no: 1, index: 0 }, [entryOf(2, 'whd_00aaaaaaaa'), entryOf(3, 'whd_00aaaaaaaa')])
    expect(rows.upTo(0, { no: 3, index: 0 }, page)).toEqual({ no: 1, index: 0 })
    rows.written(0, page)
    expect(rows.upTo(0, { no: 3, index: 0 })).toEqual({ no: 1, index: 0 })
  })
})
