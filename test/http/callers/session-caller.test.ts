import { describe, expect, it } from 'vitest'
import type { Caller, CallerKind } from '../../../src/http/callers/caller.ts'
import {
  authenticateCallers,
  endedCookie,
  SESSION_COOKIE,
  sessionCookie,
} from '../../../src/http/callers/session-caller.ts'
import { requestHead } from '../parts/request-head.ts'

const member: Caller = { kind: 'member', tenantId: 't', memberId: 'm', role: 'admin' }
const operator: Caller = { kind: 'operator', operatorId: 'o' }
const key: Caller = { kind: 'api_key', tenantId: 't', keyId: 'k' }
let acts = false
const authenticate = authenticateCallers(
  () => key,
  (token) => Promise.resolve(token === 'acc_1.good' ? member : token === 'acc_2.good' ? operator : null),
  ({ headers }) =>
    headers.has('foreign') ? { problem: 'forbidden', reason: 'Elsewhere.', headers: {} } : null,
  () => Promise.resolve(acts ? { ...member, isActing: true } : null),
)
const identify = (headers: Record<string, string>, served: readonly CallerKind[] = ['member']) =>
  authenticate(requestHead(headers, { method: 'POST' }), served)
const cookie = `${SESSION_COOKIE}=acc_1.good`

describe('a session in a request', () => {
  it('names the caller, wherever it stands among the cookies', async () => {
    for (const sent of [cookie, `a=b; ${cookie}`, `${cookie}; c=d`, `a=b;${cookie};c=d`])
      expect(await identify({ cookie: sent })).toEqual(member)
  })

  it('that is over is refused, and taken away', async () => {
    expect(await identify({ cookie: `${SESSION_COOKIE}=acc_1.bad` })).toMatchObject({
      problem: 'unauthorized',
      headers: { 'Set-Cookie': endedCookie },
    })
  })

  it('of a kind that is not served, or from elsewhere, is forbidden', async () => {
    expect(await identify({ cookie }, ['operator'])).toMatchObject({ problem: 'forbidden' })
    expect(await identify({ cookie, foreign: '1' })).toMatchObject({ problem: 'forbidden' })
  })

  it('of an operator is that of a member only while the operator acts, and only where operators are not served', async () => {
    const asOperator = { cookie: `${SESSION_COOKIE}=acc_2.good` }
    expect(await identify(asOperator)).toMatchObject({ problem: 'forbidden' })
    acts = true
    expect(await identify(asOperator)).toEqual({ ...member, isActing: true })
    expect(await identify(asOperator, ['member', 'operator'])).toEqual(operator)
    expect(await identify(asOperator, ['api_key'])).toMatchObject({ problem: 'forbidden' })
    expect(await identify({ ...asOperator, foreign: '1' })).toMatchObject({ problem: 'forbidden' })
    acts = false
  })

  it('gives way to an Authorization header, and is no session under another name', async () => {
    expect(await identify({ cookie, authorization: 'Bearer x' })).toEqual(key)
    expect(await identify({ cookie: `x${cookie}` })).toEqual(key)
    expect(await identify({})).toEqual(key)
  })

  it('lives in the browser no longer than here', () => {
    expect(sessionCookie('t', 1_999)).toBe(
      `${SESSION_COOKIE}=t; Max-Age=1; Path=/; Secure; HttpOnly; SameSite=Strict`,
    )
  })
})
