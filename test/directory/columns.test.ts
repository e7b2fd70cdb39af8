import { describe, expect, it } from 'vitest'
import { type ColumnRow, Columns } from '../../src/directory/columns.ts'
import { firstPlaceOf } from '../../src/directory/place.ts'

const at = (timeMs: number, more: Partial<ColumnRow> = {}): ColumnRow => ({
  seq: timeMs,
  place: firstPlaceOf(timeMs),
  state: 'done',
  search: `record ${timeMs}`,
  externalId: null,
  ...more,
})
const all = { q: 'record', externalId: null, states: [], fromMs: null, toMs: null, page: 1, pageSize: 25 }
const columns = (...rows: ColumnRow[]): Columns => {
  const made = new Columns(100)
  for (const row of rows) made.put(row)
  return made
}

describe('columns', () => {
  it('find the newest first in whatever order they came, page by page, with the total', () => {
    const made = columns(at(2), at(5), at(1), at(4), at(3))
    expect(made.find({ ...all, pageSize: 2 })).toEqual({ seqs: [5, 4], total: 5 })
    expect(made.find({ ...all, pageSize: 2, page: 3 })).toEqual({ seqs: [1], total: 5 })
    expect(made.find({ ...all, pageSize: 2, page: 4 })).toEqual({ seqs: [], total: 5 })
  })

  it('find by state, time and external id together', () => {
    const made = columns(
      at(1, { state: 'offer-sent' }),
      at(2, { externalId: 'order-2' }),
      at(3, { externalId: 'order-3' }),
      at(4, { externalId: 'order-4', state: 'declined' }),
    )
    expect(made.find({ ...all, states: ['done', 'no such'] }).seqs).toEqual([3, 2])
    expect(made.find({ ...all, states: ['no such'] }).total).toBe(0)
    expect(made.find({ ...all, fromMs: 2, toMs: 4 }).seqs).toEqual([3, 2])
    expect(made.find({ ...all, externalId: 'ORDER-', states: ['declined'] }).seqs).toEqual([4])
  })

  it('have a record once, as it was put last', () => {
    const made = columns(at(1), at(2), at(1, { state: 'declined', search: 'something else entirely' }))
    expect(made.find(all).seqs).toEqual([2])
    expect(made.find({ ...all, q: 'ELSE', states: ['declined'] }).seqs).toEqual([1])
  })

  it('pass over what is gone, whatever is asked, until too much of them is', () => {
    const made = columns(at(1), at(2), at(3), at(4))
    expect(made.remove(at(3))).toBe(true)
    expect(made.remove(at(3))).toBe(true)
    expect(made.remove(at(9))).toBe(true)
    expect(made.find(all)).toEqual({ seqs: [4, 2, 1], total: 3 })
    expect(made.find({ ...all, q: null })).toEqual({ seqs: [4, 2, 1], total: 3 })
    made.put(at(3))
    expect(made.find(all).total).toBe(4)
    expect([made.remove(at(1)), made.remove(at(2)), made.remove(at(3))]).toEqual([true, true, false])
  })

  it('give up instead of moving a long list for every old record', () => {
    const made = columns(...Array.from({ length: 101 }, (_, n) => at(n + 10)))
    expect([made.put(at(11.5)), made.put(at(1_000)), made.put(at(1))]).toEqual([true, true, false])
  })
})
