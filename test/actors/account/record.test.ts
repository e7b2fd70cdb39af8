import { describe, expect, it } from 'vitest'
import { memberView, passkeyView, sessionView, signedInView } from '../../../src/actors/account/record.ts'

const session = {
  id: 's',
  tokenHash: 'hash-of-token',
  openedAtMs: 0,
  expiresAtMs: 1_000,
  steppedUpAtMs: 0,
  address: '192.0.2.1',
  userAgent: 'Firefox',
}
const account = {
  status: 'active',
  organisation: 'ten_1',
  role: 'admin',
  invitation: { hash: 'hash-of-invitation', expiresAtMs: 2_000 },
  signIn: null,
  lastTotpStep: 1,
  private: {
    emailAddress: 'ann@example.org',
    name: 'Ann',
    passwordHash: 'argon',
    totpSeed: 'SEED',
    recoveryHashes: ['hash-of-code'],
    sessions: [session],
    passkeys: [],
  },
  createdAtMs: 0,
  updatedAtMs: 0,
} as const

describe('what is shown of accounts', () => {
  it('holds no secret and no hash', () => {
    const shown = JSON.stringify([
      memberView('acc_1', account),
      sessionView(session, 's'),
      signedInView({ accountId: 'acc_1', account, session }),
    ])
    for (const secret of ['hash', 'argon', 'SEED']) expect(shown).not.toContain(secret)
  })

  it('names people, times and what is left', () => {
    expect(memberView('acc_1', account)).toMatchObject({
      name: 'Ann',
      invitationExpiresAt: '1970-01-01T00:00:02.000Z',
    })
    expect(memberView('acc_1', { ...account, private: null, invitation: null })).toMatchObject({
      emailAddress: null,
      invitationExpiresAt: null,
    })
    expect(signedInView({ accountId: 'acc_1', account, session })).toMatchObject({
      account: { recoveryCodesLeft: 1 },
      session: { current: true },
    })
    expect(sessionView(session, 'other')).toMatchObject({ current: false })
  })

  it('names a passkey without its key', () => {
    const passkey = {
      id: 'p',
      credentialId: 'credential',
      publicKey: 'key',
      counter: 0,
      transports: [],
      label: 'Laptop',
      addedAtMs: 0,
      lastUsedAtMs: null,
    }
    expect(passkeyView(passkey)).toEqual({
      id: 'p',
      label: 'Laptop',
      createdAt: '1970-01-01T00:00:00.000Z',
      lastUsedAt: null,
    })
    expect(passkeyView({ ...passkey, lastUsedAtMs: 0 }).lastUsedAt).toBe('1970-01-01T00:00:00.000Z')
  })
})
