import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RowCounts } from '../../src/directory/row-counts.ts'
import { RecordWriter, facetOf } from '../../src/directory/record-writer.ts'
import { openTables } from '../../src/directory/tables.ts'
import { TenantRows } from '../../src/directory/tenant-rows.ts'
import { row } from './directory-rows.ts'

let tables: ReturnType<typeof openTables>
let writer: RecordWriter
let rowCounts: RowCounts
beforeEach(() => {
  tables = openTables(':memory:')
  rowCounts = new RowCounts(tables)
  writer = new RecordWriter(tables, rowCounts)
})
afterEach(() => tables.close())

const counts = () => {
  rowCounts.flush()
  return tables.prepare('SELECT state, day, records FROM counts WHERE records > 0 ORDER BY state').all()
}
const facets = () => tables.prepare('SELECT facet, state FROM facets ORDER BY facet').all()
const DAY_MS = 86_400_000

describe('writing a record', () => {
  it('counts it in its state and day, and moves it when its state changes', () => {
    writer.put(row('a', { createdAtMs: DAY_MS, state: 'offer-sent' }))
    writer.put(row('b', { createdAtMs: DAY_MS, state: 'offer-sent' }))
    writer.put(row('a', { createdAtMs: DAY_MS, state: 'done', updatedAtMs: 2 }))
    expect(counts()).toEqual([
      { state: 'done', day: 1, records: 1 },
      { state: 'offer-sent', day: 1, records: 1 },
    ])
  })

  it('keeps a facet for every filter that has a value, in the state of the record', () => {
    writer.put(row('a', { filters: { connectionId: 'c1', verified: null } }))
    expect(facets()).toEqual([{ facet: facetOf('connectionId', 'c1'), state: 'done' }])
    writer.put(row('a', { filters: { connectionId: 'c1', verified: 'true' }, state: 'closed' }))
    expect(facets()).toEqual([
      { facet: 'connectionId=c1', state: 'closed' },
      { facet: 'verified=true', state: 'closed' },
    ])
    writer.put(row('a', { filters: { connectionId: 'c2', verified: null }, state: 'closed' }))
    expect(facets()).toEqual([{ facet: 'connectionId=c2', state: 'closed' }])
  })

  it('keeps a facet for each of several values of a filter', () => {
    writer.put(row('a', { filters: { invitationId: ['i1'] } }))
    writer.put(row('a', { filters: { invitationId: ['i1', 'i2'] } }))
    expect(facets()).toEqual([
      { facet: facetOf('invitationId', 'i1'), state: 'done' },
      { facet: facetOf('invitationId', 'i2'), state: 'done' },
    ])
    writer.put(row('a', { filters: { invitationId: 'i2' } }))
    expect(facets()).toEqual([{ facet: 'invitationId=i2', state: 'done' }])
  })

  it('puts rows that are to go apart from those that stay, so that they leave no gaps behind', () => {
    const pagesAfter = (passing: number): number => {
      const own = openTables(':memory:')
      const counted = new RowCounts(own)
      const [into, from] = [new RecordWriter(own, counted), new TenantRows(own, counted)]
      const id = (kind: string, index: number) => `${kind}_${String(index).padStart(30, '0')}`
      const goes = Array.from({ length: 2_000 * passing }, (_, index) =>
        row(id('whd', index), { kind: 'passing', searchText: id('cre', index), isPassing: true }),
      )
      for (let index = 0; index < 2_000; index++) {
        into.put(row(id('cre', index), { filters: { connectionId: id('con', index) } }))
        for (const each of goes.slice(index * passing, (index + 1) * passing)) into.put(each)
      }
      for (const each of goes) expect(from.removeOne(each)?.seq).toBeLessThan(0)
      const [all, free] = ['page_count', 'freelist_count'].map((of) =>
        Number(own.pragma(of, { simple: true })),
      )
      own.close()
      return (all ?? 0) - (free ?? 0)
    }
    expect(pagesAfter(4)).toBeLessThan(1.1 * pagesAfter(0))
  })

  it('numbers rows that stay from one on, whatever stands beside them', () => {
    const passing = writer.put(row('a', { isPassing: true }))
    expect([writer.put(row('b')).seq, writer.put(row('c')).seq]).toEqual([1, 2])
    expect(writer.put(row('d', { isPassing: true })).seq).toBe(passing.seq + 1)
  })

  it('takes what comes later, also from a clock that is behind', () => {
    writer.put(row('a', { updatedAtMs: 5, state: 'offer-sent', searchText: 'somebody' }))
    expect(writer.put(row('a', { updatedAtMs: 4, state: 'closed', searchText: '' }))).toMatchObject({
      state: 'closed',
      search: '',
    })
    expect(counts()).toEqual([{ state: 'closed', day: 0, records: 1 }])
  })

  it('leaves a record where it was created', () => {
    const first = writer.put(row('a', { createdAtMs: 7 }))
    expect(writer.put(row('a', { createdAtMs: 8 }))).toMatchObject({ place: first?.place, seq: first?.seq })
  })

  it('has a list for each tenant and kind, and forgets those that were never committed', () => {
    const scope = writer.put(row('a'))?.scope
    expect(writer.put(row('a', { tenant: 't2' }))?.scope).not.toBe(scope)
    expect([writer.scopeOf('t1', 'credential'), writer.scopeOf('t1', 'proof')]).toEqual([scope, null])
    tables.exec('BEGIN')
    writer.put(row('p', { kind: 'proof' }))
    expect(writer.scopeOf('t1', 'proof')).not.toBeNull()
    tables.exec('ROLLBACK')
    writer.forget()
    expect(writer.scopeOf('t1', 'proof')).toBeNull()
  })
})
