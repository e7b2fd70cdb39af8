import { describe, expect, it } from 'vitest'
import { sessionRoutes } from '../../../src/actors/account/session-routes.ts'
import { accountsStub } from './accounts-stub.ts'

const named = (answer: unknown, name: string) => {
  const route = sessionRoutes(accountsStub(answer)).find(({ operationId }) => operationId === name)
  if (route === undefined) throw new Error(`there is no ${name}`)
  return route
}
const caller = { kind: 'operator', operatorId: 'acc_1' } as const

describe('the routes of sessions', () => {
  it('serve people alone, viewers too', () => {
    for (const route of sessionRoutes(accountsStub(null)))
      expect(route).toMatchObject({ access: { callers: ['member', 'operator'], isOwnAccount: true } })
  })

  it('send whoever was signed out meanwhile to the sign-in', async () => {
    expect(await named(null, 'getSession').handle({ caller } as never)).toMatchObject({
      problem: 'unauthorized',
    })
  })

  it('take the cookie away when one signs out', async () => {
    for (const name of ['signOut', 'signOutEverywhere'])
      expect(await named(null, name).handle({ caller } as never)).toMatchObject({
        headers: { 'Set-Cookie': expect.stringContaining('Max-Age=0') as unknown },
      })
  })

  it('know no session that is over', async () => {
    const gone = { refused: 'not_found', reason: 'Gone.' }
    const request = { caller, params: { id: 'x' } } as never
    expect(await named(gone, 'endSession').handle(request)).toMatchObject({ problem: 'not_found' })
  })
})
