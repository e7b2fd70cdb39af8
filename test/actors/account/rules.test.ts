import { describe, expect, it } from 'vitest'
import { accountDecider, liveSessions } from '../../../src/actors/account/rules.ts'
import type { AccountCommand, AccountEvent, AccountState } from '../../../src/actors/account/state.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { runDecider } from '../../domain/run-decider.ts'

const HOUR_MS = 3_600_000
const session = (id: string) => ({ id, tokenHash: `hash-${id}`, address: '192.0.2.1', userAgent: 'Firefox' })
const invite: AccountCommand = {
  type: 'InviteAccount',
  atMs: 1,
  organisation: 'ten_00aaaaaaaa',
  role: 'admin',
  emailAddress: 'ann@example.org',
  invitation: { hash: 'invited', expiresAtMs: 1_000 },
}
const begin: AccountCommand = {
  type: 'BeginEnrolment',
  atMs: 2,
  invitationHash: 'invited',
  name: 'Ann',
  passwordHash: 'argon',
  totpSeed: 'SEED',
}
const confirm: AccountCommand = {
  type: 'ConfirmEnrolment',
  atMs: 3,
  invitationHash: 'invited',
  step: 10,
  recoveryHashes: ['r1', 'r2'],
  session: session('s1'),
}
const enrolled = [invite, begin, confirm]
const openSignIn: AccountCommand = {
  type: 'OpenSignIn',
  atMs: 5,
  signIn: { hash: 'pass', expiresAtMs: 1_000_000 },
}
const finish = (step: number | null, atMs = 6): AccountCommand => ({
  type: 'FinishSignIn',
  atMs,
  signInHash: 'pass',
  factor: { by: 'totp', step },
  session: session(`s${step}`),
})
const recover = (hash: string): AccountCommand => ({
  type: 'FinishSignIn',
  atMs: 7,
  signInHash: 'pass',
  factor: { by: 'recovery_code', hash },
  session: session('sr'),
})
const run = (...commands: AccountCommand[]) => runDecider(accountDecider, commands)
const last = (...commands: AccountCommand[]) => run(...commands).replies.at(-1)
/** The sessions that the last command leaves, by their ids. */
const sessions = (atMs: number, ...commands: AccountCommand[]): readonly string[] => {
  const left = last(...commands)
  if (!left || isRefused(left)) throw new Error('the account is not there')
  return liveSessions(left, atMs).map(({ id }) => id)
}

describe('an invitation', () => {
  it('is used up by the first code, not by the password', () => {
    expect(run(invite, begin).state).toMatchObject({ status: 'invited' })
    expect(run(...enrolled).state).toMatchObject({ status: 'active', invitation: null })
    expect(last(...enrolled, confirm)).toMatchObject({ refused: 'not_found' })
  })

  it('is good for nothing when it is over, replaced or wrong', () => {
    expect(last(invite, { ...begin, atMs: 1_000 })).toMatchObject({ refused: 'not_found' })
    expect(last(invite, { ...begin, invitationHash: 'guess' })).toMatchObject({ refused: 'not_found' })
    const renew: AccountCommand = {
      type: 'RenewInvitation',
      atMs: 2,
      invitation: { hash: 'new', expiresAtMs: 2_000 },
    }
    expect(last(invite, begin, renew, confirm)).toMatchObject({ refused: 'not_found' })
    expect(last(invite, renew, { ...begin, invitationHash: 'new' })).toMatchObject({ status: 'invited' })
    expect(last(...enrolled, renew)).toMatchObject({ refused: 'already_member' })
  })

  it('gives no session before the second factor works', () => {
    expect(last(invite, begin, { ...confirm, step: null })).toMatchObject({ refused: 'unauthorized' })
    expect(last(invite, confirm)).toMatchObject({ refused: 'not_found' })
    expect(last(invite, begin, openSignIn)).toMatchObject({ refused: 'unauthorized' })
  })
})

describe('a sign-in', () => {
  it('needs the pass that the password gave', () => {
    expect(last(...enrolled, finish(11))).toMatchObject({ refused: 'unauthorized' })
    expect(sessions(7, ...enrolled, openSignIn, finish(11))).toEqual(['s1', 's11'])
    expect(last(...enrolled, openSignIn, finish(11), finish(12))).toMatchObject({ refused: 'unauthorized' })
    expect(last(...enrolled, openSignIn, finish(11, 1_000_000))).toMatchObject({ refused: 'unauthorized' })
  })

  it('takes no code a second time, and none from before', () => {
    for (const step of [10, 9, null])
      expect(last(...enrolled, openSignIn, finish(step))).toMatchObject({ refused: 'unauthorized' })
  })

  it('takes each recovery code once', () => {
    expect(sessions(8, ...enrolled, openSignIn, recover('r1'))).toEqual(['s1', 'sr'])
    expect(last(...enrolled, openSignIn, recover('r1'), openSignIn, recover('r1'))).toMatchObject({
      refused: 'unauthorized',
    })
    expect(last(...enrolled, openSignIn, recover('guess'))).toMatchObject({ refused: 'unauthorized' })
  })
})

describe('a session', () => {
  it('of a member ends after 24 hours, of an operator after 12, used or not', () => {
    expect(sessions(2 + 24 * HOUR_MS, ...enrolled)).toEqual(['s1'])
    expect(sessions(3 + 24 * HOUR_MS, ...enrolled)).toEqual([])
    const operator = [{ ...invite, role: 'operator', organisation: null }, begin, confirm] as AccountCommand[]
    expect(sessions(2 + 12 * HOUR_MS, ...operator)).toEqual(['s1'])
    expect(sessions(3 + 12 * HOUR_MS, ...operator)).toEqual([])
  })

  it('is one of ten at most, the oldest makes room', () => {
    const signIns = Array.from({ length: 10 }, (_, index) => [openSignIn, finish(11 + index)]).flat()
    const ten = Array.from({ length: 10 }, (_, index) => `s${11 + index}`)
    expect(sessions(8, ...enrolled, ...signIns)).toEqual(ten)
  })

  it('ends alone, with all others, or by a new password', () => {
    const two = [...enrolled, openSignIn, finish(11)]
    const end: AccountCommand = { type: 'EndSession', atMs: 8, sessionId: 's1' }
    expect(sessions(9, ...two, end)).toEqual(['s11'])
    expect(last(...two, end, end)).toMatchObject({ refused: 'not_found' })
    expect(sessions(9, ...two, { type: 'EndSessions', atMs: 8 })).toEqual([])
    const change: AccountCommand = {
      type: 'ChangePassword',
      atMs: 8,
      passwordHash: 'n',
      keepSessionId: 's11',
    }
    expect(sessions(9, ...two, change)).toEqual(['s11'])
  })

  it('is stepped up by a fresh code alone', () => {
    const stepUp = (step: number | null): AccountCommand => ({
      type: 'StepUp',
      atMs: 99,
      sessionId: 's1',
      step,
    })
    expect(last(...enrolled, stepUp(11))).toMatchObject({ private: { sessions: [{ steppedUpAtMs: 99 }] } })
    for (const step of [10, null])
      expect(last(...enrolled, stepUp(step))).toMatchObject({ refused: 'unauthorized' })
    expect(last(...enrolled, stepUp(11), openSignIn, finish(11))).toMatchObject({ refused: 'unauthorized' })
  })
})

describe('another authenticator', () => {
  const offer = (totpSeed: string, atMs = 20): AccountCommand => ({
    type: 'OfferAuthenticator',
    atMs,
    sessionId: 's1',
    totpSeed,
  })
  const exchange = (step: number | null, { totpSeed = 'NEW', atMs = 21, sessionId = 's1' } = {}) =>
    ({ type: 'ExchangeAuthenticator', atMs, sessionId, totpSeed, step }) as const

  it('is the one of the account from its first code on, of whichever time', () => {
    const two = [...enrolled, openSignIn, finish(11)]
    expect(last(...two, offer('NEW'))).toMatchObject({ private: { totpSeed: 'SEED' } })
    for (const step of [11, 9]) {
      const { state } = run(...two, offer('NEW'), exchange(step))
      expect(state).toMatchObject({
        lastTotpStep: step,
        private: { totpSeed: 'NEW', newAuthenticator: null, sessions: [{ id: 's1', steppedUpAtMs: 21 }] },
      })
      expect(sessions(22, ...two, offer('NEW'), exchange(step))).toEqual(['s1'])
    }
    expect(last(...two, offer('NEW'), exchange(11), exchange(12))).toMatchObject({ refused: 'not_found' })
  })

  it('is that of the seed, the session and the ten minutes', () => {
    const offered = [...enrolled, openSignIn, finish(11), offer('NEW')]
    expect(last(...offered, exchange(null))).toMatchObject({ refused: 'unauthorized' })
    expect(last(...offered, offer('NEWER'), exchange(12))).toMatchObject({ refused: 'not_found' })
    expect(last(...offered, exchange(12, { sessionId: 's11' }))).toMatchObject({ refused: 'not_found' })
    expect(last(...offered, exchange(12, { sessionId: 'gone' }))).toMatchObject({ refused: 'unauthorized' })
    expect(last(...offered, exchange(12, { atMs: 20 + 600_000 }))).toMatchObject({ refused: 'not_found' })
  })
})

describe('an account', () => {
  it('that is removed is nobody any more', () => {
    const remove: AccountCommand = { type: 'RemoveAccount', atMs: 9 }
    expect(last(...enrolled, remove)).toBeNull()
    const { state } = run(...enrolled, remove)
    expect(accountDecider.views.record(state)).toMatchObject({ refused: 'not_found' })
    expect(state).toEqual({
      status: 'removed',
      organisation: 'ten_00aaaaaaaa',
      removedAtMs: 9,
    })
    const own: readonly AccountCommand[] = [
      { type: 'StepUp', atMs: 10, sessionId: 's1', step: 11 },
      { type: 'EndSessions', atMs: 10 },
      { type: 'RemovePasskey', atMs: 10, passkeyId: 'k1' },
    ]
    for (const command of own)
      expect(last(...enrolled, remove, command)).toMatchObject({ refused: 'unauthorized' })
    expect(last(...enrolled, remove, invite)).toMatchObject({ refused: 'not_found' })
  })

  it('changes its role and its recovery codes', () => {
    expect(run(...enrolled, { type: 'ChangeRole', atMs: 9, role: 'viewer' }).state).toMatchObject({
      role: 'viewer',
    })
    const replace: AccountCommand = { type: 'ReplaceRecoveryCodes', atMs: 9, recoveryHashes: ['n1'] }
    expect(last(...enrolled, replace, openSignIn, recover('r1'))).toMatchObject({ refused: 'unauthorized' })
    expect(sessions(10, ...enrolled, replace, openSignIn, recover('n1'))).toEqual(['s1', 'sr'])
  })
})

describe('a passkey', () => {
  const passkey = (id: string, counter = 0) => ({
    id,
    credentialId: `credential ${id}`,
    publicKey: 'key',
    counter,
    transports: [],
    label: 'Laptop',
    addedAtMs: 4,
    lastUsedAtMs: null,
  })
  const add = (id: string, counter = 0): AccountCommand => ({
    type: 'AddPasskey',
    atMs: 4,
    passkey: passkey(id, counter),
  })
  const use = (id: string | null, counter: number): AccountCommand => ({
    type: 'FinishSignIn',
    atMs: 7,
    signInHash: 'pass',
    factor: { by: 'passkey', id, counter },
    session: session(`p${counter}`),
  })

  it('opens a session instead of a code, as long as it is there', () => {
    expect(sessions(8, ...enrolled, add('k1'), openSignIn, use('k1', 0))).toEqual(['s1', 'p0'])
    for (const id of ['k2', null])
      expect(last(...enrolled, add('k1'), openSignIn, use(id, 0))).toMatchObject({ refused: 'unauthorized' })
    const remove: AccountCommand = { type: 'RemovePasskey', atMs: 5, passkeyId: 'k1' }
    expect(last(...enrolled, add('k1'), remove, openSignIn, use('k1', 0))).toMatchObject({
      refused: 'unauthorized',
    })
    expect(last(...enrolled, add('k1'), remove, remove)).toMatchObject({ refused: 'not_found' })
  })

  it('that counts must count on', () => {
    const used = [...enrolled, add('k1', 5), openSignIn, use('k1', 6)]
    expect(run(...used).state).toMatchObject({ private: { passkeys: [{ counter: 6, lastUsedAtMs: 7 }] } })
    for (const counter of [6, 5, 0])
      expect(last(...used, openSignIn, use('k1', counter))).toMatchObject({ refused: 'unauthorized' })
  })

  it('steps a session up, and counts on', () => {
    const stepUp = (passkeyId: string | null, counter: number, sessionId = 's1'): AccountCommand => ({
      type: 'StepUpByPasskey',
      atMs: 99,
      sessionId,
      passkeyId,
      counter,
    })
    const known = [...enrolled, add('k1', 5)]
    expect(run(...known, stepUp('k1', 6)).state).toMatchObject({
      lastTotpStep: 10,
      private: { sessions: [{ steppedUpAtMs: 99 }], passkeys: [{ counter: 6, lastUsedAtMs: 99 }] },
    })
    for (const [id, counter] of [
      ['k1', 5],
      ['k2', 6],
      [null, 6],
    ] as const)
      expect(last(...known, stepUp(id, counter))).toMatchObject({ refused: 'unauthorized' })
    expect(last(...known, stepUp('k1', 6, 'gone'))).toMatchObject({ refused: 'unauthorized' })
  })

  it('is one of ten at most, and added once', () => {
    expect(run(...enrolled, add('k1'), add('k1')).state).toMatchObject({
      private: { passkeys: { length: 1 } },
    })
    const ten = Array.from({ length: 10 }, (_, index) => add(`k${index}`))
    expect(last(...enrolled, ...ten)).toMatchObject({ private: { passkeys: { length: 10 } } })
    expect(last(...enrolled, ...ten, add('more'))).toMatchObject({ refused: 'invalid_request' })
  })
})

const none: AccountState = { status: 'none' }
const removed: AccountEvent = { type: 'AccountRemoved', atMs: 9 }
const invited: AccountEvent = {
  type: 'AccountInvited',
  atMs: 1,
  organisation: null,
  role: 'operator',
  emailAddress: null,
  invitation: { hash: 'h', expiresAtMs: 2 },
}
const confirmed: AccountEvent = {
  type: 'EnrolmentConfirmed',
  atMs: 2,
  step: 1,
  recoveryHashes: null,
  session: null,
}

describe('the events of an account', () => {
  it('are read after its personal data is gone', () => {
    const state = [invited, confirmed, removed].reduce(accountDecider.evolve, none)
    expect(state).toEqual({ status: 'removed', organisation: null, removedAtMs: 9 })
  })

  it('that are impossible are refused', () => {
    expect(() => accountDecider.evolve(none, removed)).toThrow('impossible')
    expect(() => [invited, invited].reduce(accountDecider.evolve, none)).toThrow('impossible')
    expect(() => [invited, removed, removed].reduce(accountDecider.evolve, none)).toThrow('impossible')
    expect(() => [invited, confirmed, confirmed].reduce(accountDecider.evolve, none)).toThrow('impossible')
    const ended: AccountEvent = { type: 'SessionsEnded', atMs: 3 }
    expect(() => [invited, ended].reduce(accountDecider.evolve, none)).toThrow('impossible')
  })
})
