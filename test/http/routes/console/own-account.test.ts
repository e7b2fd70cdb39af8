import { describe, expect, it } from 'vitest'
import { ownAccountRoutes } from '../../../../src/http/routes/console/own-account.ts'
import { accountsStub } from './accounts-stub.ts'

describe('the routes about oneself', () => {
  it('serve people alone, viewers too', () => {
    for (const route of ownAccountRoutes(accountsStub(null)))
      expect(route).toMatchObject({ caller: ['member', 'operator'], ownAccount: true })
  })

  it('show no recovery codes without a fresh code', () => {
    const secret = ownAccountRoutes(accountsStub(null)).filter(({ stepUp }) => stepUp === true)
    expect(secret.map(({ operationId }) => operationId)).toEqual(['replaceRecoveryCodes'])
  })

  it('send whoever was signed out meanwhile to the sign-in', async () => {
    const route = ownAccountRoutes(accountsStub(null)).find(({ operationId }) => operationId === 'getSession')
    const caller = { kind: 'operator', operatorId: 'acc_1' } as const
    expect(await route?.handle({ caller } as never)).toMatchObject({ problem: 'unauthorized' })
  })
})
