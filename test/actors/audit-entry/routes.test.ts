import { describe, expect, it } from 'vitest'
import { auditLogRoutes } from '../../../src/actors/audit-entry/routes.ts'
import { listing } from '../../compose/service-on-memory.ts'
import { accountsStub } from '../account/accounts-stub.ts'

const head = { path: '/v1/audit-log', query: '' }
const run = async (index: number, caller: object, query: object) => {
  const seen: unknown[] = []
  const api = { ...accountsStub(null), directory: listing([], seen) }
  await auditLogRoutes(api)[index]?.handle({ caller, query, head } as never)
  return seen[0]
}

describe('the routes of the audit log', () => {
  it('show members their organisation alone', async () => {
    const caller = { kind: 'member', tenantId: 'ten_1' }
    expect(await run(0, caller, { action: 'signIn', organisation: 'ten_2' })).toMatchObject({
      tenant: 'ten_1',
      kind: 'audit-entry',
      filters: { action: 'signIn' },
    })
  })

  it('show operators their own lines, or those of one organisation', async () => {
    const caller = { kind: 'operator', operatorId: 'o' }
    expect(await run(1, caller, {})).toMatchObject({ tenant: 'operators' })
    expect(await run(1, caller, { organisation: 'ten_2', targetId: 'x' })).toMatchObject({
      tenant: 'ten_2',
      filters: { targetId: 'x' },
    })
  })

  it('refuse a time that is none', async () => {
    const [route] = auditLogRoutes(accountsStub(null))
    const caller = { kind: 'member', tenantId: 'ten_1' }
    expect(await route?.handle({ caller, query: { from: 'yesterday' }, head } as never)).toMatchObject({
      problem: 'invalid_request',
    })
  })
})
