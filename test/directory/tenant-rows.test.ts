import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { OPERATORS } from '../../src/domain/operators.ts'
import type { DirectoryRow, ListedRecord } from '../../src/ports/directory.ts'
import { row } from './directory-rows.ts'

const idOf = (number: number): string => `cre_1f${String(number).padStart(10, '0')}`

describe('the rows of an organisation', () => {
  let directory: SqliteDirectory
  beforeEach(() => {
    directory = new SqliteDirectory(':memory:')
  })
  afterEach(() => directory[Symbol.dispose]())

  const put = (...rows: DirectoryRow[]) => directory.write(0x1f, rows, { no: 1, index: 0 })
  const list = async (tenant: string, kind: string, q: string | null = null) => {
    const all = { page: 1, pageSize: 50, states: [], externalId: null, fromMs: null, toMs: null, filters: {} }
    return (await directory.list({ tenant, kind, q, ...all })).total
  }
  const furnish = (): void => {
    put(...Array.from({ length: 5 }, (_, number) => row(idOf(number), { searchText: `text ${number}` })))
    put(row(idOf(9), { tenant: 't2' }))
    put(row('aud_1faaaaaaaaaa', { kind: 'audit-entry' }))
    for (const [id, tenantId] of [
      ['key_1faaaaaaaaaa', 't1'],
      ['key_1fbbbbbbbbbb', 't2'],
    ] as const)
      put(row(id, { kind: 'api-key', tenant: OPERATORS, filters: { tenantId } }))
  }

  it('are found page by page, and are gone when they are taken out', async () => {
    furnish()
    expect(directory.listsOf('t1')).toEqual(['credential', 'audit-entry'])
    expect(await list('t1', 'credential', 'text')).toBe(5)
    const query = { tenant: 't1', kind: 'credential', isOfOperators: false, limit: 2 }
    const found: ListedRecord[] = []
    for (;;) {
      const page = directory.recordsOf({ ...query, after: found.at(-1) ?? null })
      found.push(...page)
      if (page.length < 2) break
    }
    expect(found.map(({ id }) => id).toSorted()).toEqual([0, 1, 2, 3, 4].map(idOf))
    directory.unlist(found.slice(0, 2).map((each) => each.row))
    directory.unlist(found.slice(0, 2).map((each) => each.row))
    expect(directory.recordsOf({ ...query, after: null }).map(({ id }) => id)).toEqual([
      found[2]?.id,
      found[3]?.id,
    ])
    expect(await list('t1', 'credential')).toBe(3)
    expect(await list('t1', 'credential', 'text')).toBe(3)
    expect(
      directory.listed({ tenant: 't1', kind: 'credential', ids: found.map(({ id }) => id) }),
    ).toHaveLength(3)
    expect(directory.listed({ tenant: 't1', kind: 'unknown', ids: [idOf(0)] })).toEqual([])
  })

  it('are found in the lists of operators by the organisation that they name', () => {
    furnish()
    const query = { tenant: 't1', kind: 'api-key', isOfOperators: true, after: null, limit: 10 }
    expect(directory.recordsOf(query).map(({ id }) => id)).toEqual(['key_1faaaaaaaaaa'])
  })

  it('go with the row of an organisation that is deleted, but the lists that stay', async () => {
    furnish()
    expect(await list('t1', 'credential', 'text')).toBe(5)
    put(row('t1', { kind: 'tenant', tenant: OPERATORS, state: 'deleted', endsAllBut: ['audit-entry'] }))
    expect([await list('t1', 'credential'), await list('t1', 'credential', 'text')]).toEqual([0, 0])
    expect(await list('t1', 'audit-entry')).toBe(1)
    expect(await list('t2', 'credential')).toBe(1)
    expect(await list(OPERATORS, 'api-key')).toBe(1)
    put(row(idOf(7)))
    expect(await list('t1', 'credential')).toBe(1)
  })
})
