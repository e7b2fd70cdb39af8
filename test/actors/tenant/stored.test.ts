import { describe, expect, it } from 'vitest'
import { tenantEvents, tenantSnapshots } from '../../../src/actors/tenant/stored.ts'

describe('what the journal keeps of an organisation', () => {
  it('is read as it was written', () => {
    const set = { type: 'RetentionSet', atMs: 1, retentionDays: 30 } as const
    expect(tenantEvents.decode(tenantEvents.encode(set, null), null)).toEqual(set)
  })

  it('has the common retention when it was stored before there was another', () => {
    const old = {
      status: 'active',
      name: 'n',
      did: 'd',
      verkey: 'v',
      seed: null,
      registered: true,
      lastError: null,
      createdAtMs: 1,
      updatedAtMs: 1,
    }
    const read = tenantSnapshots.decode(JSON.stringify({ v: 1, d: old }), null)
    expect(read).toEqual({ ...old, retentionDays: 90, retentionChangedAtMs: null })
    expect(tenantSnapshots.decode('{"v":1,"d":{"status":"none"}}', null)).toEqual({ status: 'none' })
  })
})
