import { afterAll, describe, expect, it } from 'vitest'
import { readRetention, setRetention } from '../../../src/actors/tenant/retention.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const {
  service,
  at: { tenant },
} = await furnishedService()
afterAll(() => service.close())

describe('the retention of an organisation', () => {
  it('is 90 days until it is changed', async () => {
    expect(await readRetention(service.useCases, tenant)).toEqual({ retentionDays: 90, changedAtMs: null })
    const set = await setRetention(service.useCases, tenant, 0)
    expect(set).toMatchObject({ retentionDays: 0 })
    expect('changedAtMs' in set && set.changedAtMs).toBeGreaterThan(0)
    expect(await readRetention(service.useCases, tenant)).toEqual(set)
  })

  it('is that of one that exists', async () => {
    expect(await readRetention(service.useCases, 'ten_00aaaaaaaaaa')).toMatchObject({ refused: 'not_found' })
  })
})
