import { describe, expect, it } from 'vitest'
import type { RowCells } from '../../src/directory/change-codec.ts'
import { ErasedRows } from '../../src/directory/erased-rows.ts'
import { query, row } from './directory-rows.ts'
import { contents, node, openTerm, pullAll, revOf } from './replica-nodes.ts'

const CANARY = 'canary'
const text = (...texts: readonly string[]) => texts.join(' ')

describe('rows of a record that was erased', () => {
  it('are taken for older ones that come later, as many as there is room for', () => {
    const erased = new ErasedRows(2)
    const cells = (id: string): RowCells => [
      9,
      'credential',
      id,
      't1',
      1,
      1,
      'done',
      '{}',
      null,
      '',
      null,
      null,
    ]
    for (const id of ['r1', 'r2', 'r3']) erased.note(id, 9, [cells(id)])
    const old = (id: string) => row(id, { searchText: CANARY })
    expect(erased.nowOf(old('r1'), 8)?.searchText).toBe(CANARY)
    expect(erased.nowOf(old('r2'), 8)?.searchText).toBe('')
    expect(erased.nowOf(old('r3'), 9)?.searchText).toBe(CANARY)
    erased.note('r2', 9, [])
    expect(erased.nowOf(old('r2'), 8)).toBeNull()
  })

  it('stand in a file that is behind, which reads on as if nothing had been', async () => {
    const [owner, behind, empty] = [node('owner'), node('behind'), node('empty')]
    openTerm(owner, 0, 1)
    const write = (id: string, searchText: string): void => {
      const rows = [row(id, { searchText })]
      owner.file.writeAll([{ shard: 0, rows, position: { no: 1, index: 0 }, epoch: 1 }])
    }
    write('r0x3', CANARY)
    write('r0x1', text('first', CANARY))
    pullAll(behind, owner)
    write('r0x2', 'second')
    write('r0x1', '')
    const gone = [{ tenant: 't1', kind: 'credential', id: 'r0x3' }]
    expect(owner.file.replicated((replicas) => replicas.keysOfRecord(0, 'r0x3'))).toMatchObject(gone)
    owner.file.replicated((replicas) => replicas.unlistKeys(0, 1, gone))
    const before = revOf(behind, 0)
    for (const recordId of ['r0x1', 'r0x3']) {
      const { tenant, kind, id } = row(recordId)
      const bytes = owner.file.replicated((replicas) => replicas.rowsOf([{ tenant, kind, id }]))
      const at = { shard: 0, rev: revOf(owner, 0), recordId, bytes }
      for (const { file } of [behind, empty]) file.replicated((replicas) => replicas.overwrite(at))
    }
    expect(revOf(behind, 0)).toBe(before)
    const list = await behind.file.list(query())
    expect(list.rows.map(({ id, searchText }) => [id, searchText])).toEqual([['r0x1', '']])
    pullAll(behind, owner)
    pullAll(empty, owner)
    for (const each of [behind, empty]) expect(await contents(each)).toEqual(await contents(owner))
  })
})
