import { afterAll, describe, expect, it } from 'vitest'
import { beginEnrolment, confirmEnrolment, passwordProblem } from '../../../src/actors/account/enrol.ts'
import { inviteAccount } from '../../../src/actors/account/members.ts'
import { accountsWorld, allowed, from, password, tenantId, tokenOf } from './accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

const invited = async (emailAddress: string) =>
  tokenOf(allowed(await inviteAccount(at.ports, tenantId, emailAddress, 'admin')).link)

describe('an enrolment', () => {
  it('goes from the link over password and authenticator to the first session', async () => {
    const invitation = await invited('ann@example.org')
    const begun = allowed(await beginEnrolment(at.ports, { invitation, name: 'Ann', password }))
    expect(begun.totpUrl).toMatch(/^otpauth:\/\/totp\/Vouchsafe:ann%40example\.org\?/)
    const wrong = await confirmEnrolment(at.ports, { invitation, code: '000000', from })
    expect(wrong).toMatchObject({ refused: 'unauthorized' })
    const code = at.nextCode(begun.totpSeed)
    const done = allowed(await confirmEnrolment(at.ports, { invitation, code, from }))
    expect(done.recoveryCodes).toHaveLength(10)
    expect(done).toMatchObject({ account: { status: 'active', role: 'admin', private: { name: 'Ann' } } })
    expect(
      await confirmEnrolment(at.ports, { invitation, code: at.nextCode(begun.totpSeed), from }),
    ).toMatchObject({
      refused: 'not_found',
    })
    expect(await beginEnrolment(at.ports, { invitation, name: 'Eve', password })).toMatchObject({
      refused: 'not_found',
    })
  })

  it('is refused after seven days, and with a text that is no invitation', async () => {
    const invitation = await invited('bob@example.org')
    at.runtime.forward(7 * 24 * 3_600_000)
    for (const link of [invitation, 'x', `acc_00aaaaaaaa.${'x'.repeat(43)}`]) {
      expect(await beginEnrolment(at.ports, { invitation: link, name: 'B', password })).toMatchObject({
        refused: 'not_found',
      })
      expect(await confirmEnrolment(at.ports, { invitation: link, code: '123456', from })).toMatchObject({
        refused: 'not_found',
      })
    }
  })

  it('takes no weak password', async () => {
    const invitation = await invited('carl@example.org')
    for (const weak of ['short', 'aaaaaaaaaaaaaaaaaa', 'my carl@example.org'])
      expect(await beginEnrolment(at.ports, { invitation, name: 'C', password: weak })).toMatchObject({
        refused: 'invalid_request',
        reason: expect.stringContaining('password') as unknown,
      })
    expect(passwordProblem('abcdefghijkl', '')).toBeNull()
    expect(passwordProblem('abcdefghijk', '')).toContain('12 to 200')
    expect(passwordProblem('abcd'.repeat(50), '')).toBeNull()
    expect(passwordProblem(`${'abcd'.repeat(50)}e`, '')).toContain('12 to 200')
  })
})
