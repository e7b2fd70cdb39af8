import { describe, expect, it } from 'vitest'
import { erasedRecordOf, erasureIdOf, erasureRowOf, recordErased } from '../../src/actors/erased-records.ts'

const record = { tenant: 'ten_1', erasedAtMs: 5_000, erasedBy: 'tenant_member' } as const

describe('an erased record', () => {
  it('is an entry of the log of erasures, found by its id', () => {
    expect(erasureRowOf('proof', 'pro_00a', record)).toMatchObject({
      kind: 'erasure',
      id: 'era_pro_00a',
      tenant: 'ten_1',
      createdAtMs: 5_000,
      filters: { recordType: 'proof', initiator: 'tenant_member' },
      searchText: 'pro_00a',
    })
    expect(erasedRecordOf(erasureIdOf('pro_00a'))).toBe('pro_00a')
  })

  it.each([
    ['that is not erased', { ...record, erasedAtMs: null, erasedBy: null }],
    ['whose time was over', { ...record, erasedBy: 'retention' }],
    ['of a kind that cannot be erased', { tenant: 'ten_1', status: 'active' }],
  ])('is none there where it is one %s', (_, other) => {
    expect(erasureRowOf('proof', 'pro_00a', other)).toBeNull()
  })

  it('is reported to its organisation, unless its time was over', () => {
    const event = {
      type: 'RecordErased',
      atMs: 5_000,
      tenant: 'ten_1',
      externalId: 'o',
      sequence: 5,
    } as const
    expect(recordErased('credential', 'cre_00a', { ...event, by: 'operator' })).toEqual({
      id: 'evt_cre_00a_5',
      type: 'record.erased',
      tenant: 'ten_1',
      createdAtMs: 5_000,
      recordType: 'credential',
      recordId: 'cre_00a',
      data: {
        recordType: 'credential',
        recordId: 'cre_00a',
        externalId: 'o',
        erasedAt: '1970-01-01T00:00:05.000Z',
        initiator: 'operator',
        updatedAt: '1970-01-01T00:00:05.000Z',
        sequence: 5,
      },
      sealed: null,
    })
    expect(recordErased('credential', 'cre_00a', { ...event, by: 'retention' })).toBeNull()
  })
})
