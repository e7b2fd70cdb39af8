import { describe, expect, it } from 'vitest'
import { passkeyRoutes } from '../../../src/actors/account/passkey-routes.ts'
import { account, accountsStub } from './accounts-stub.ts'

const named = (answer: unknown, name: string) => {
  const route = passkeyRoutes(accountsStub(answer)).find(({ operationId }) => operationId === name)
  if (route === undefined) throw new Error(`there is no ${name}`)
  return route
}
const caller = { kind: 'operator', operatorId: 'acc_1' } as const

describe('the routes of passkeys', () => {
  it('change nothing without a fresh code', () => {
    for (const route of passkeyRoutes(accountsStub(null)))
      expect(route.access.needsStepUp).toBe(route.method !== 'GET')
  })

  it('list what there is', async () => {
    const request = { caller, query: {}, head: { path: '/', query: '' } } as never
    expect(await named({ id: 'acc_1', account }, 'listPasskeys').handle(request)).toMatchObject({
      body: { items: [], total: 0, page: 1, pageSize: 25 },
    })
  })

  it('answer refusals with their codes', async () => {
    const request = { caller, params: { id: 'x' }, body: { label: 'l', response: {} } } as never
    const wrong = { refused: 'invalid_request', reason: 'No.' }
    expect(await named(wrong, 'addPasskey').handle(request)).toMatchObject({ problem: 'invalid_request' })
    const gone = { refused: 'not_found', reason: 'Gone.' }
    expect(await named(gone, 'removePasskey').handle(request)).toMatchObject({ problem: 'not_found' })
    const over = { refused: 'unauthorized', reason: 'Over.' }
    expect(await named(over, 'beginPasskey').handle(request)).toMatchObject({ problem: 'unauthorized' })
    expect(await named(null, 'removePasskey').handle(request)).toMatchObject({ status: 200 })
  })
})
