import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HotColumns } from '../../src/directory/hot-columns.ts'
import { RowCounts } from '../../src/directory/row-counts.ts'
import { RecordWriter } from '../../src/directory/record-writer.ts'
import { openTables } from '../../src/directory/tables.ts'
import { row } from './directory-rows.ts'

let tables: ReturnType<typeof openTables>
let writer: RecordWriter
let counts: RowCounts
beforeEach(() => {
  tables = openTables(':memory:')
  counts = new RowCounts(tables)
  writer = new RecordWriter(tables, counts)
})
afterEach(() => tables.close())

const all = { q: 'x', externalId: null, states: [], fromMs: null, toMs: null, page: 1, pageSize: 25 }
const put = (hot: HotColumns, id: string, tenant = 't1', createdAtMs = 1) => {
  const written = writer.put(row(id, { tenant, createdAtMs, searchText: `x ${id}` }))
  counts.flush()
  if (written !== null) hot.put(written.scope, written)
  return written?.scope ?? 0
}

describe('lists in memory', () => {
  it('are read once and follow what is written from then on', async () => {
    const hot = new HotColumns(tables)
    const scope = put(hot, 'a')
    const columns = await hot.of(scope)
    expect(columns?.find(all).total).toBe(1)
    put(hot, 'b')
    expect((await hot.of(scope)) === columns).toBe(true)
    expect(columns?.find(all).total).toBe(2)
  })

  it('miss nothing and double nothing that is written while they are read', async () => {
    const hot = new HotColumns(tables, { chunkRecords: 100 })
    let scope = 0
    tables.transaction(() => {
      for (let n = 0; n < 5_000; n++) scope = put(hot, `a${n}`, 't1', 1_000 + n)
    })()
    const reading = hot.of(scope)
    let more = 0
    const write = () => {
      put(hot, `early${more}`, 't1', 500)
      put(hot, `late${more}`, 't1', 90_000)
      more += 1
      if (more < 20) setImmediate(write)
    }
    write()
    const columns = await reading
    await expect.poll(() => more).toBe(20)
    expect(columns?.find(all).total).toBe(5_040)
  })

  it('drop the list that was not asked for longest when memory runs short', async () => {
    const hot = new HotColumns(tables, { memoryBytesMax: 30_000 })
    const scopes = ['t1', 't2', 't3', 't4', 't5'].map((tenant) => put(hot, 'a', tenant))
    for (const scope of scopes) expect((await hot.of(scope))?.find(all).total).toBe(1)
    expect(hot.memoryBytes).toBeLessThan(60_000)
    for (const scope of scopes) expect((await hot.of(scope))?.find(all).total).toBe(1)
  })

  it('go on without a row that is gone, and begin anew where it goes while they are read', async () => {
    const hot = new HotColumns(tables, { chunkRecords: 1 })
    const rows = ['a', 'b', 'c', 'd'].map((id) => {
      const written = writer.put(row(id, { searchText: `x ${id}` }))
      return { scope: written.scope, place: written.place, seq: written.seq }
    })
    const [first, second] = rows
    if (first === undefined || second === undefined) throw new Error('nothing was written')
    const columns = await hot.of(first.scope)
    hot.remove(first.scope, first)
    expect((await hot.of(first.scope)) === columns).toBe(true)
    expect(columns?.find(all).total).toBe(3)
    hot.forget(first.scope)
    const reading = hot.of(first.scope)
    tables.prepare('DELETE FROM records WHERE seq IN (?, ?)').run(first.seq, second.seq)
    hot.remove(first.scope, second)
    expect((await reading)?.find(all).total).toBe(2)
  })

  it('are not kept when they are too long', async () => {
    const hot = new HotColumns(tables, { recordsMax: 1 })
    const scope = put(hot, 'a')
    expect(await hot.of(scope)).not.toBeNull()
    const other = put(hot, 'a', 't2')
    put(hot, 'b', 't2')
    expect(await hot.of(other)).toBeNull()
  })

  it('are read anew when an old record had to be put before too many', async () => {
    const hot = new HotColumns(tables, { movedMax: 100 })
    let scope = 0
    tables.transaction(() => {
      for (let n = 0; n < 200; n++) scope = put(hot, `a${n}`, 't1', 1_000 + n)
    })()
    const columns = await hot.of(scope)
    put(hot, 'old', 't1', 1)
    const again = await hot.of(scope)
    expect([again === columns, again?.find(all).total]).toEqual([false, 201])
  })
})
