import { describe, expect, it } from 'vitest'
import { openedCookie, refuseStrangers } from '../../../../src/http/routes/console/stranger.ts'
import { accountsStub } from './accounts-stub.ts'

const check = (headers: Record<string, string>) =>
  refuseStrangers(accountsStub(null))({
    id: '',
    method: 'POST',
    path: '/',
    query: '',
    headers: new Map(Object.entries(headers)),
    remoteAddress: '',
  })

describe('whoever is nobody yet', () => {
  it('comes from a page of our own, without a credential of another kind', () => {
    expect(check({})).toBeNull()
    expect(check({ foreign: '1' })).toMatchObject({ problem: 'forbidden' })
    expect(check({ authorization: 'Bearer svc_sk_x' })).toMatchObject({ problem: 'forbidden' })
  })

  it('gets a cookie that lives as long as the session', () => {
    expect(openedCookie(accountsStub(null), 't', 60_000)['Set-Cookie']).toContain('=t; Max-Age=60;')
  })
})
