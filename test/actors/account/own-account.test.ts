import { afterAll, describe, expect, it } from 'vitest'
import {
  changePassword,
  endSessions,
  ownSessions,
  replaceRecoveryCodes,
  ownSessionOfToken,
} from '../../../src/actors/account/own-account.ts'
import { endSession } from '../../../src/actors/account/prove-in-session.ts'
import { beginSignIn, finishSignIn } from '../../../src/actors/account/sign-in.ts'
import { accountsWorld, allowed, from, password, tenantId } from './accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

const signedIn = async (emailAddress: string, seed: string) => {
  const order = { organisation: tenantId, emailAddress, password, from }
  const { signIn } = allowed(await beginSignIn(at.ports, order))
  return allowed(await finishSignIn(at.ports, { signIn, code: at.nextCode(seed), from }))
}

describe("one's own account", () => {
  it('lists its sessions and ends one or all', async () => {
    const first = await at.enrolled(tenantId, 'ann@example.org')
    const second = await signedIn('ann@example.org', first.seed)
    const listed = await ownSessions(at.ports, first.accountId)
    expect(listed.map(({ id }) => id)).toEqual([second.session.id, first.session.id])
    expect(listed[0]).toMatchObject({ address: from.address, userAgent: from.userAgent })
    allowed(await endSession(at.ports, { accountId: first.accountId, sessionId: first.session.id }))
    expect(await ownSessionOfToken(at.ports, first.token)).toBeNull()
    expect(await ownSessionOfToken(at.ports, second.token)).not.toBeNull()
    allowed(await endSessions(at.ports, first.accountId))
    expect(await ownSessionOfToken(at.ports, second.token)).toBeNull()
    expect(await ownSessionOfToken(at.ports, 'no token')).toBeNull()
  })

  it('changes its password with the old one, and all other sessions end', async () => {
    const first = await at.enrolled(tenantId, 'carl@example.org')
    const second = await signedIn('carl@example.org', first.seed)
    const me = { accountId: second.accountId, sessionId: second.session.id }
    const change = (currentPassword: string, newPassword: string) =>
      changePassword(at.ports, me, { currentPassword, newPassword })
    expect(await change('wrong password', 'a new long password')).toMatchObject({ refused: 'forbidden' })
    expect(await change(password, 'short')).toMatchObject({ refused: 'invalid_request' })
    allowed(await change(password, 'a new long password'))
    expect(await ownSessionOfToken(at.ports, first.token)).toBeNull()
    expect(await ownSessionOfToken(at.ports, second.token)).not.toBeNull()
    const order = { organisation: tenantId, emailAddress: 'carl@example.org', from }
    expect(await beginSignIn(at.ports, { ...order, password })).toMatchObject({ refused: 'unauthorized' })
    expect(await beginSignIn(at.ports, { ...order, password: 'a new long password' })).toMatchObject({
      signIn: expect.any(String) as unknown,
    })
  })

  it('gets new recovery codes instead of the old', async () => {
    const { accountId, recoveryCodes } = await at.enrolled(tenantId, 'dora@example.org')
    const fresh = allowed(await replaceRecoveryCodes(at.ports, accountId, 'order 1')).codes ?? []
    expect(await replaceRecoveryCodes(at.ports, accountId, 'order 1')).toEqual({ codes: null })
    const use = async (recoveryCode: string) => {
      const order = { organisation: tenantId, emailAddress: 'dora@example.org', password, from }
      const { signIn } = allowed(await beginSignIn(at.ports, order))
      return finishSignIn(at.ports, { signIn, recoveryCode, from })
    }
    expect(await use(recoveryCodes[0] ?? '')).toMatchObject({ refused: 'unauthorized' })
    expect(await use(fresh[0] ?? '')).toMatchObject({ account: {} })
  })
})
