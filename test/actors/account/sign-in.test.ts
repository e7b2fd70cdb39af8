import { afterAll, describe, expect, it } from 'vitest'
import { newSignInCounts } from '../../../src/actors/sign-in-lockout/attempt-counts.ts'
import { isLocked } from '../../../src/actors/sign-in-lockout/rules.ts'
import { deviceCookie, knownDevice, type DeviceOwner } from '../../../src/actors/account/known-device.ts'
import { changePassword, ownSessionOfToken } from '../../../src/actors/account/own-account.ts'
import type { PeoplePorts } from '../../../src/actors/account/outcomes.ts'
import type { Asker, Passwords } from '../../../src/actors/account/passwords.ts'
import { beginSignIn, finishSignIn } from '../../../src/actors/account/sign-in.ts'
import { beginAttempt, countAtPlace } from '../../../src/actors/sign-in-lockout/commands.ts'
import { limits } from '../../../src/domain/limits.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import { accountsWorld, allowed, from, otherTenantId, password, tenantId } from './accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

let places = 0
const begin = (
  emailAddress: string,
  given = password,
  organisation: string | null = tenantId,
  address = `place ${++places}`,
) => beginSignIn(at.ports, { organisation, emailAddress, password: given, from: { ...from, address } })

/** As a node sees it whose clock is another than that of the node which has the account. */
const portsAhead = (byMs: number): PeoplePorts => ({
  ...at.ports,
  runtime: { ...at.runtime, now: () => at.runtime.now() + byMs },
})

describe('a sign-in at nodes whose clocks are ten minutes apart', () => {
  it('that is begun at one is finished at the other, as long as it may take, and no longer', async () => {
    const { recoveryCodes } = await at.enrolled(tenantId, 'clocks@example.org')
    const [ahead, behind] = [portsAhead(600_000), portsAhead(-600_000)]
    const passOf = async (ports: PeoplePorts): Promise<string> => {
      const asked = { organisation: tenantId, emailAddress: 'clocks@example.org', password }
      return allowed(await beginSignIn(ports, { ...asked, from: { ...from, address: `apart ${++places}` } }))
        .signIn
    }
    const finish = (ports: PeoplePorts, signIn: string, index: number) =>
      finishSignIn(ports, { signIn, recoveryCode: recoveryCodes[index] ?? '', from })
    expect(await finish(ahead, await passOf(behind), 0)).toMatchObject({ account: { status: 'active' } })
    expect(await finish(behind, await passOf(ahead), 1)).toMatchObject({ account: { status: 'active' } })
    for (const [one, other] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const signIn = await passOf(one)
      at.runtime.forward(limits.secondFactorMinutes * 60_000)
      expect(await finish(other, signIn, 2)).toMatchObject({ refused: 'unauthorized' })
    }
  })

  it('is locked for as long as it is, on a device that is known as well', async () => {
    const attempt = async (ports: PeoplePorts, id: string) => {
      const place = allowed(await countAtPlace(ports, `lock ${++places}`))
      return beginAttempt(ports, place, { what: 'device', id })
    }
    for (const [one, other] of [
      [portsAhead(600_000), portsAhead(-600_000)],
      [portsAhead(-600_000), portsAhead(600_000)],
    ] as const) {
      const id = `device ${++places}`
      for (let index = 0; index < limits.signInAttemptsOfAccount; index++) allowed(await attempt(one, id))
      expect(await attempt(other, id)).toMatchObject({ refused: 'rate_limited' })
      at.runtime.forward(limits.signInPauseFirstSeconds * 1_000 + 1)
      expect(await attempt(other, id)).not.toHaveProperty('refused')
    }
  })
})

describe('a sign-in', () => {
  it('opens a session with password and code, and takes the code once', async () => {
    const { seed } = await at.enrolled(tenantId, 'ann@example.org')
    const code = at.nextCode(seed)
    const first = allowed(await begin(' ANN@example.org '))
    const done = allowed(await finishSignIn(at.ports, { signIn: first.signIn, code, from }))
    expect(await ownSessionOfToken(at.ports, done.token)).toMatchObject({
      account: { organisation: tenantId },
    })
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

  it('shares the count of its passwords with its codes', async () => {
    await at.enrolled(tenantId, 'sha@example.org')
    const { signIn } = allowed(await begin('sha@example.org'))
    for (let index = 0; index < 5; index++) await begin('sha@example.org', 'wrong', tenantId, `s${index}`)
    expect(await finishSignIn(at.ports, { signIn, code: '000000', from })).toMatchObject({
      refused: 'rate_limited',
    })
  })
})

type Loose = (of: string, ...more: readonly unknown[]) => unknown

describe('an account', () => {
  const loose = at.ports.actors as unknown as { readonly ask: Loose; readonly read: Loose }
  const wrongly = (ports: PeoplePorts, emailAddress: string, given = 'x') =>
    beginSignIn(ports, {
      organisation: tenantId,
      emailAddress,
      password: given,
      from: { ...from, address: `q${++places}` },
    })
  const outcomeOf = (answer: object) => ('refused' in answer ? answer.refused : 'in')

  it('is not known by its lock after a restart or on another node, nor is a right password', async () => {
    const { seed } = await at.enrolled(tenantId, 'ora@example.org')
    const outcomes = async (emailAddress: string) => {
      for (let index = 0; index < 5; index++) await wrongly(at.ports, emailAddress)
      const restarted = { ...at.ports, signInCounts: newSignInCounts() }
      const answers: object[] = []
      for (const given of ['x', password, 'x', password, 'x', 'x', password])
        answers.push(await wrongly(restarted, emailAddress, given))
      return answers.map((answer) => JSON.stringify({ ...answer, retryAfterMs: 0 }))
    }
    const known = await outcomes('ora@example.org')
    expect(known).toEqual(await outcomes('stranger@ora.example.org'))
    expect(known.findIndex((each) => each.includes('rate_limited'))).toBe(5)
    at.runtime.forward(30_000)
    const restarted = { ...at.ports, signInCounts: newSignInCounts() }
    const { signIn } = allowed(await wrongly(restarted, 'ora@example.org', password))
    expect(await finishSignIn(restarted, { signIn, code: at.nextCode(seed), from })).toMatchObject({
      account: {},
    })
  })

  it('is not known by the time that its count takes in a slow store', async () => {
    await at.enrolled(tenantId, 'slo@example.org')
    const slowly =
      (work: Loose): Loose =>
      async (of, ...more) => {
        if (of.startsWith('try_')) await at.runtime.sleep(400)
        return work(of, ...more)
      }
    const actors = { ...at.ports.actors, ask: slowly(loose.ask), read: slowly(loose.read) } as never
    const lasting = async (emailAddress: string) => {
      const begunMs = performance.now()
      const answer = await wrongly({ ...at.ports, actors }, emailAddress)
      expect(outcomeOf(answer)).toBe('unauthorized')
      return performance.now() - begunMs
    }
    expect(await lasting('slo@example.org')).toBeLessThan(200)
    expect(await lasting('stranger@slo.example.org')).toBeLessThan(200)
  })

  it('is read for strangers too, not always the same', async () => {
    const read = new Set<string>()
    const spy: Loose = (of, ...more) => {
      read.add(of)
      return loose.read(of, ...more)
    }
    const actors = { ...at.ports.actors, read: spy } as never
    for (let index = 0; index < 30; index++) await wrongly({ ...at.ports, actors }, `d${index}@example.org`)
    expect([...read].filter((ref) => ref.startsWith('acc_')).length).toBeGreaterThan(2)
  })
})

const ACCOUNTS = 30
const durable = () => new Set(at.journal.batches.flat().map(({ actor }) => actor))

describe('strangers who try to sign in', () => {
  it('lock no account from a place that is locked', async () => {
    const emailAddresses = Array.from({ length: ACCOUNTS }, (_, index) => `all${index}@example.org`)
    for (const emailAddress of emailAddresses) await at.enrolled(tenantId, emailAddress)
    for (let index = 0; index < 25; index++)
      await begin(`n${index}@example.org`, 'x', tenantId, '198.51.100.1')
    for (const emailAddress of emailAddresses)
      for (let index = 0; index < 6; index++)
        expect(await begin(emailAddress, 'x', tenantId, '198.51.100.1')).toMatchObject({
          refused: 'rate_limited',
        })
    const answers = await Promise.all(
      emailAddresses.map((emailAddress, index) =>
        begin(emailAddress, password, tenantId, `203.0.113.${index}`),
      ),
    )
    expect(answers.filter((answer) => 'refused' in answer)).toHaveLength(0)
  })

  it('leave nothing durable behind with addresses that no account has', async () => {
    const before = at.journal.batches.length
    for (let index = 0; index < 300; index++)
      await begin(`unknown${index}@example.org`, 'x', tenantId, `198.18.${index >> 4}.1`)
    for (const realm of [tenantId, otherTenantId, 'ten_00zzzzzzzz', 'no organisation', null])
      for (let index = 0; index < 8; index++) await begin('one@unknown.example.org', 'x', realm)
    await at.runtime.sleep(100)
    expect(at.journal.batches.length - before).toBe(0)
  })

  it('leave what an attempt at an account leaves: its count, and a line in its audit log', async () => {
    await at.enrolled(tenantId, 'lined@example.org')
    const before = durable()
    await begin('lined@example.org', 'x')
    const left = () => [...durable()].filter((actor) => !before.has(actor)).map((actor) => actor.slice(0, 4))
    await expect.poll(() => left().sort()).toEqual(['aud_', 'try_'])
  })

  it('cost a password check with an account and without, and none once one of both is locked', async () => {
    await at.enrolled(tenantId, 'dear@example.org')
    for (const emailAddress of ['dear@example.org', 'stranger@dear.example.org']) {
      let checks = 0
      const verify: Passwords['verify'] = (...given) => {
        checks += 1
        return at.ports.passwords.verify(...given)
      }
      const { passwords } = at.ports
      const inSteps: Passwords['inSteps'] = (work) => passwords.inSteps(work)
      const ports = { ...at.ports, passwords: { ...passwords, verify, inSteps } }
      for (let index = 0; index < 8; index++) {
        const origin = { ...from, address: `${emailAddress} ${index}` }
        await beginSignIn(ports, { organisation: tenantId, emailAddress, password: 'x', from: origin })
      }
      expect(checks).toBe(5)
    }
  })
})

describe('a device that is known', () => {
  const signedIn = async (emailAddress: string, cookies = '') => {
    const { seed, ...whose } = await at.enrolled(tenantId, emailAddress)
    return { seed, whose, cookies: cookieFor(whose, cookies) }
  }
  const cookieFor = (whose: DeviceOwner, cookies = '') =>
    (deviceCookie(at.ports.tokenTags, cookies, whose, at.runtime.now()) ?? '').split(';')[0] ?? ''
  const beginOn = (cookies: string, emailAddress: string, given = password) =>
    beginSignIn(at.ports, {
      organisation: tenantId,
      emailAddress,
      password: given,
      from: { address: `home ${++places}`, userAgent: null, cookies },
    })
  const attack = async (emailAddress: string) => {
    for (let index = 0; index < 6; index++)
      await begin(emailAddress, 'x', tenantId, `${emailAddress} ${index}`)
    expect(await begin(emailAddress)).toMatchObject({ refused: 'rate_limited' })
  }

  it('lets its owner in while others attack the account', async () => {
    const { seed, whose, cookies } = await signedIn('dev@example.org')
    await attack('dev@example.org')
    const { signIn } = allowed(await beginOn(cookies, 'dev@example.org'))
    await attack('dev@example.org')
    const origin = { ...from, cookies }
    const done = allowed(await finishSignIn(at.ports, { signIn, code: at.nextCode(seed), from: origin }))
    expect(done).toMatchObject({ accountId: whose.accountId })
  })

  it('waits for its password among those who are known, strangers by their networks', async () => {
    const { whose, cookies } = await signedIn('que@example.org')
    const askers: Asker[] = []
    const verify: Passwords['verify'] = (hashed, given, asker) => {
      askers.push(asker)
      return at.ports.passwords.verify(hashed, given, asker)
    }
    const { passwords } = at.ports
    const ports = {
      ...at.ports,
      passwords: { ...passwords, verify, inSteps: passwords.inSteps.bind(passwords) },
    }
    const order = { organisation: tenantId, emailAddress: 'que@example.org', password }
    for (const sent of [cookies, ''])
      await beginSignIn(ports, { ...order, from: { ...from, address: '2001:db8::7', cookies: sent } })
    expect(askers).toEqual([
      { isKnown: true, shares: [whose.accountId] },
      { isKnown: false, shares: ['2001:db8::/64', '2001:db8::/56', '2001:db8::/48'] },
    ])
  })

  it('has not tried where a crowd turned it away, nor have strangers', async () => {
    const { cookies } = await signedIn('cro@example.org')
    const verify = () => Promise.reject(new AskFailed('overloaded', 'a crowd', 1_000))
    const { passwords } = at.ports
    const ports = {
      ...at.ports,
      passwords: { ...passwords, verify, inSteps: passwords.inSteps.bind(passwords) },
    }
    const order = { organisation: tenantId, emailAddress: 'cro@example.org', password }
    for (const sent of [cookies, '']) {
      const origin = { ...from, address: 'a crowd', cookies: sent }
      for (let index = 0; index < 25; index++)
        await expect(beginSignIn(ports, { ...order, from: origin })).rejects.toThrow('a crowd')
      await at.runtime.sleep(50)
      allowed(await beginSignIn(at.ports, { ...order, from: origin }))
    }
  })

  it('is no factor', async () => {
    const { whose, cookies } = await signedIn('fac@example.org')
    expect(await beginOn(cookies, 'fac@example.org', 'x')).toMatchObject({ refused: 'unauthorized' })
    const { signIn } = allowed(await beginOn(cookies, 'fac@example.org'))
    const origin = { ...from, cookies }
    expect(await finishSignIn(at.ports, { signIn, code: '000000', from: origin })).toMatchObject({
      refused: 'unauthorized',
    })
    expect(await ownSessionOfToken(at.ports, cookies.slice(cookies.indexOf('=') + 1))).toBeNull()
    expect(knownDevice(at.ports.tokenTags, cookies, whose, at.runtime.now())).not.toBeNull()
  })

  it('has a count of its own: it is locked alone, and stays so with a new cookie', async () => {
    const { whose, cookies } = await signedIn('own@example.org')
    for (let index = 0; index < 5; index++) await beginOn(cookies, 'own@example.org', 'x')
    expect(await beginOn(cookies, 'own@example.org')).toMatchObject({ refused: 'rate_limited' })
    expect(await beginOn(cookieFor(whose, cookies), 'own@example.org')).toMatchObject({
      refused: 'rate_limited',
    })
    expect(await begin('own@example.org')).not.toHaveProperty('refused')
  })

  it('is unknown after the password was changed, and where the cookie is of another account', async () => {
    const { whose, cookies } = await signedIn('end@example.org')
    const other = await signedIn('oth@example.org')
    await attack('end@example.org')
    const renamed = other.cookies.replace(other.whose.accountId, whose.accountId)
    expect(await beginOn(renamed, 'end@example.org')).toMatchObject({ refused: 'rate_limited' })
    const change = { currentPassword: password, newPassword: 'another long password' }
    const me = { accountId: whose.accountId, sessionId: whose.session.id }
    allowed(await changePassword(at.ports, me, change))
    expect(await beginOn(cookies, 'end@example.org', change.newPassword)).toMatchObject({
      refused: 'rate_limited',
    })
  })
})
