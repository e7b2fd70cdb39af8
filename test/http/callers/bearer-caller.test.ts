import { describe, expect, it } from 'vitest'
import { refuse } from '../../../src/domain/decider.ts'
import { authenticateBearers } from '../../../src/http/callers/bearer-caller.ts'
import type { CallerKind } from '../../../src/http/callers/caller.ts'
import { requestHead } from '../parts/request-head.ts'

const owners = {
  apiKey: async (key: string) => {
    const owned = { keyId: 'k', tenantId: 't' }
    if (key === 'suspended') return { ...refuse('forbidden', 'It is suspended.'), owned }
    return key === 'right' ? owned : null
  },
  walletToken: async (token: string) => (token === 'svc_wt_right' ? { walletId: 'w', tenantId: 't' } : null),
}
const identify = (authorization: string | null, served: readonly CallerKind[] = ['api_key']) =>
  authenticateBearers(owners)(requestHead(authorization === null ? {} : { authorization }), served)

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

  it('of a suspended organisation still says whose it is, so that its requests count', async () => {
    expect(await identify('Bearer suspended')).toMatchObject({
      problem: 'forbidden',
      reason: 'It is suspended.',
      whose: { kind: 'api_key', keyId: 'k' },
    })
  })

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
