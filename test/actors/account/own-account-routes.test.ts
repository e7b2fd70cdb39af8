import { describe, expect, it } from 'vitest'
import { ownAccountRoutes } from '../../../src/actors/account/own-account-routes.ts'
import { accountsStub } from './accounts-stub.ts'

describe('the routes about oneself', () => {
  it('serve people alone, viewers too', () => {
    for (const route of ownAccountRoutes(accountsStub(null)))
      expect(route).toMatchObject({ access: { callers: ['member', 'operator'], isOwnAccount: true } })
  })

  it('show no recovery codes without a fresh code', () => {
    const secret = ownAccountRoutes(accountsStub(null)).filter(({ access }) => access.needsStepUp)
    expect(secret.map(({ operationId }) => operationId)).toEqual(['replaceRecoveryCodes'])
  })

  it('call a wrong code forbidden, and say how long to wait after too many', async () => {
    const request = { caller: { kind: 'operator', operatorId: 'acc_1' }, body: { code: '000000' } } as never
    const stepUp = (answer: object) =>
      ownAccountRoutes(accountsStub(answer))
        .find(({ operationId }) => operationId === 'stepUp')
        ?.handle(request)
    expect(await stepUp({ refused: 'unauthorized', reason: 'No.' })).toMatchObject({ problem: 'forbidden' })
    const locked = { refused: 'rate_limited', reason: 'Wait.', retryAfterMs: 900 }
    expect(await stepUp(locked)).toMatchObject({ problem: 'rate_limited', headers: { 'Retry-After': '1' } })
  })
})
