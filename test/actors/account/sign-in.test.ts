import { afterAll, describe, expect, it } from 'vitest'
import { isLocked } from '../../../src/actors/sign-in-lockout/rules.ts'
import { sessionOf } from '../../../src/actors/account/own-account.ts'
import { attemptOf, beginSignIn, finishSignIn } from '../../../src/actors/account/sign-in.ts'
import { accountsWorld, allowed, from, otherTenantId, password, tenantId } from './accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

const begin = (
  emailAddress: string,
  given = password,
  organisation: string | null = tenantId,
  address = 'x',
) => beginSignIn(at.ports, { organisation, emailAddress, password: given, from: { ...from, address } })

describe('a sign-in', () => {
  it('opens a session with password and code, and takes the code once', async () => {
    const { seed } = await at.enrolled(tenantId, 'ann@example.org')
    const code = at.nextCode(seed)
    const first = allowed(await begin(' ANN@example.org '))
    const done = allowed(await finishSignIn(at.ports, { signIn: first.signIn, code, from }))
    expect(await sessionOf(at.ports, done.token)).toMatchObject({ account: { organisation: tenantId } })
    const second = allowed(await begin('ann@example.org'))
    expect(await finishSignIn(at.ports, { signIn: second.signIn, code, from })).toMatchObject({
      refused: 'unauthorized',
    })
  })

  it('opens one with each recovery code once', async () => {
    const { recoveryCodes } = await at.enrolled(tenantId, 'rec@example.org')
    const recoveryCode = (recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')
    const first = allowed(await begin('rec@example.org'))
    expect(await finishSignIn(at.ports, { signIn: first.signIn, recoveryCode, from })).toMatchObject({
      account: { status: 'active' },
    })
    const second = allowed(await begin('rec@example.org'))
    expect(await finishSignIn(at.ports, { signIn: second.signIn, recoveryCode, from })).toMatchObject({
      refused: 'unauthorized',
    })
  })

  it('answers the same for a wrong password, a stranger and another organisation', async () => {
    await at.enrolled(tenantId, 'bob@example.org')
    const answers = [
      await begin('bob@example.org', 'wrong password'),
      await begin('nobody@example.org'),
      await begin('bob@example.org', password, otherTenantId),
      await begin('bob@example.org', password, null),
      await begin('bob@example.org', password, 'no organisation'),
      await begin('no address'),
    ]
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ refused: 'unauthorized' })
  })

  it('is locked after five failures, the same for an address that nobody has, and opens again', async () => {
    const { seed } = await at.enrolled(tenantId, 'loc@example.org')
    for (const emailAddress of ['loc@example.org', 'stranger@example.org']) {
      for (let failure = 0; failure < 5; failure++)
        expect(await begin(emailAddress, 'wrong password', tenantId, `p${failure}`)).toMatchObject({
          refused: 'unauthorized',
        })
      const locked = await begin(emailAddress, password, tenantId, 'elsewhere')
      expect(locked).toMatchObject({ refused: 'rate_limited' })
      expect(isLocked(locked) && locked.retryAfterMs > 20_000).toBe(true)
    }
    at.runtime.forward(30_000)
    const { signIn } = allowed(await begin('loc@example.org'))
    const code = at.nextCode(seed)
    at.runtime.forward(0)
    expect(await finishSignIn(at.ports, { signIn, code, from })).toMatchObject({ account: {} })
  })

  it('counts guesses that are made side by side', async () => {
    await at.enrolled(tenantId, 'par@example.org')
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        begin('par@example.org', `wrong guess ${index}`, tenantId, `g${index}`),
      ),
    )
    expect(guesses.filter((answer) => 'refused' in answer && answer.refused === 'unauthorized')).toHaveLength(
      5,
    )
  })

  it('lets nobody guess codes with a password that is known', async () => {
    await at.enrolled(tenantId, 'cod@example.org')
    let judged = 0
    for (let guess = 0; guess < 20; guess++) {
      const begun = await begin('cod@example.org')
      if (!('signIn' in begun)) continue
      const answer = await finishSignIn(at.ports, { signIn: begun.signIn, code: '000000', from })
      if (!('retryAfterMs' in answer)) judged += 1
    }
    expect(judged).toBeLessThanOrEqual(5)
  })

  it('locks a place from which many are tried', async () => {
    for (let index = 0; index < 20; index++)
      await begin(`many${index}@example.org`, 'wrong', tenantId, 'one place')
    expect(await begin('fresh@example.org', 'wrong', tenantId, 'one place')).toMatchObject({
      refused: 'rate_limited',
    })
    expect(await begin('fresh@example.org', 'wrong', tenantId, 'other')).toMatchObject({
      refused: 'unauthorized',
    })
  })

  it('cannot be finished with a text that is no pass', async () => {
    expect(await finishSignIn(at.ports, { signIn: 'x', code: '123456', from })).toMatchObject({
      refused: 'unauthorized',
    })
  })

  it('shares its count with whatever else asks for a code', async () => {
    const { account } = await at.enrolled(tenantId, 'sha@example.org')
    for (let index = 0; index < 5; index++) await begin('sha@example.org', 'wrong', tenantId, `s${index}`)
    expect(await attemptOf(at.ports, account, from)).toMatchObject({ refused: 'rate_limited' })
  })
})
