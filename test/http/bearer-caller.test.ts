import { describe, expect, it } from 'vitest'
import { authenticateBearers } from '../../src/http/bearer-caller.ts'
import type { CallerKind } from '../../src/http/caller.ts'

const owners = {
  apiKey: async (key: string) => (key === 'right' ? { keyId: 'k', tenantId: 't' } : null),
  walletToken: async (token: string) => (token === 'svc_wt_right' ? { walletId: 'w', tenantId: 't' } : null),
}
const identify = (authorization: string | null, served: readonly CallerKind[] = ['api_key']) =>
  authenticateBearers(owners)(
    {
      id: 'r',
      method: 'GET',
      path: '/',
      query: '',
      headers: new Map(authorization === null ? [] : [['authorization', authorization]]),
      remoteAddress: '',
    },
    served,
  )

describe('a credential in a request', () => {
  it('names the caller', async () => {
    expect(await identify('bearer right')).toEqual({ kind: 'api_key', keyId: 'k', tenantId: 't' })
    expect(await identify('Bearer svc_wt_right', ['api_key', 'wallet_token'])).toEqual({
      kind: 'wallet_token',
      walletId: 'w',
      tenantId: 't',
    })
  })

  it.each([null, '', 'Bearer', 'Bearer wrong', 'Basic right', 'Bearer right right', 'Bearer svc_wt_wrong'])(
    'is refused as %j',
    async (shown) => {
      expect(await identify(shown)).toMatchObject({
        problem: 'unauthorized',
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    },
  )

  it('opens no route that is not for it', async () => {
    expect(await identify('Bearer right', ['member'])).toMatchObject({
      problem: 'forbidden',
      whose: { kind: 'api_key', keyId: 'k' },
    })
    expect(await identify('Bearer svc_wt_right', ['api_key'])).toMatchObject({
      problem: 'forbidden',
      whose: { kind: 'wallet_token', walletId: 'w' },
    })
  })
})
