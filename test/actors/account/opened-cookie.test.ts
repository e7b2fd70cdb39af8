import { expect, it } from 'vitest'
import { openedCookie } from '../../../src/actors/account/opened-cookie.ts'
import { accountsStub } from './accounts-stub.ts'

it('the cookie of a session lives as long as the session', () => {
  expect(openedCookie(accountsStub(null), 't', 60_000)['Set-Cookie']).toContain('=t; Max-Age=60;')
})
