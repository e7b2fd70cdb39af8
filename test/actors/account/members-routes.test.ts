import { describe, expect, it } from 'vitest'
import { memberRoutes } from '../../../src/actors/account/members-routes.ts'
import { account, accountsStub } from './accounts-stub.ts'

const named = (answer: unknown, name: string) => {
  const route = memberRoutes(accountsStub(answer)).find(({ operationId }) => operationId === name)
  if (route === undefined) throw new Error(`there is no ${name}`)
  return route
}
const caller = { kind: 'member', tenantId: 't', memberId: 'm', role: 'admin' } as const

describe('the routes of members', () => {
  it('serve members, and their twins serve operators', () => {
    for (const route of memberRoutes(accountsStub(null)))
      expect(route.access.callers).toEqual([route.path.startsWith('/v1/operator/') ? 'operator' : 'member'])
  })

  it('show links after a fresh code only', () => {
    const secret = memberRoutes(accountsStub(null)).filter(({ access }) => access.needsStepUp)
    expect(secret.map(({ operationId }) => operationId)).toEqual(['inviteMember', 'inviteOperator'])
  })

  it('page through everybody', async () => {
    const everybody = Array.from({ length: 30 }, (_, index) => ({ id: `acc_${index}`, account }))
    const list = named(everybody, 'listMembers')
    const head = { path: '/v1/members', query: 'page=2' }
    const second = await list.handle({ caller, query: { page: 2 }, head } as never)
    expect(second).toMatchObject({
      body: { total: 30, items: { length: 5 } },
      headers: { Link: '</v1/members?page=1>; rel="prev"' },
    })
    expect(await list.handle({ caller, query: { q: 'nobody' }, head } as never)).toMatchObject({
      body: { total: 0 },
    })
  })

  it('answer refusals with their codes', async () => {
    const request = { caller, params: { id: 'x' }, body: { emailAddress: 'a@b', role: 'admin' } } as never
    const last = { refused: 'last_administrator', reason: 'No.' }
    expect(await named(last, 'removeMember').handle(request)).toMatchObject({ problem: 'last_administrator' })
    expect(await named(last, 'changeMemberRole').handle(request)).toMatchObject({
      problem: 'last_administrator',
    })
    const full = { refused: 'members_too_many', reason: 'No.' }
    expect(await named(full, 'inviteMember').handle(request)).toMatchObject({ problem: 'members_too_many' })
  })
})
