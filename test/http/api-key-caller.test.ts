import { describe, expect, it } from 'vitest'
import { authenticateApiKeys } from '../../src/http/api-key-caller.ts'
import type { CallerKind } from '../../src/http/caller.ts'

const identify = (authorization: string | null, served: readonly CallerKind[] = ['api_key']) =>
  authenticateApiKeys(async (key) => (key === 'right' ? { keyId: 'k', tenantId: 't' } : null))(
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

describe('an API key in a request', () => {
  it('names the caller', async () => {
    expect(await identify('bearer right')).toEqual({ kind: 'api_key', keyId: 'k', tenantId: 't' })
  })

  it.each([null, '', 'Bearer', 'Bearer wrong', 'Basic right', 'Bearer right right'])(
    'is refused as %j',
    async (shown) => {
      expect(await identify(shown)).toMatchObject({
        problem: 'unauthorized',
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    },
  )

  it('opens no route that is not for it', async () => {
    expect(await identify('Bearer right', ['member'])).toMatchObject({ problem: 'forbidden' })
  })
})
