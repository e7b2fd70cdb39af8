import { describe, expect, it } from 'vitest'
import { accountEvents, accountSnapshots } from '../../../src/actors/account/stored.ts'
import type { AccountEvent } from '../../../src/actors/account/state.ts'

const seal = {
  seal: (plain: string) => Buffer.from(plain).toString('base64url'),
  open: (sealed: string) => Buffer.from(sealed, 'base64url').toString(),
}
const gone = { ...seal, open: () => null }
const session = {
  id: 's',
  tokenHash: 't',
  openedAtMs: 1,
  expiresAtMs: 2,
  steppedUpAtMs: 1,
  address: '192.0.2.1',
  userAgent: null,
}
const events: readonly AccountEvent[] = [
  {
    type: 'AccountInvited',
    atMs: 1,
    organisation: null,
    role: 'operator',
    emailAddress: 'a@b',
    invitation: { hash: 'h', expiresAtMs: 2 },
  },
  { type: 'EnrolmentBegun', atMs: 1, name: 'n', passwordHash: 'p', totpSeed: 't' },
  { type: 'EnrolmentConfirmed', atMs: 1, step: 1, recoveryHashes: ['r'], session },
  { type: 'SignedIn', atMs: 1, step: null, recoveryHash: 'r', session },
  { type: 'PasswordChanged', atMs: 1, passwordHash: 'p', keepSessionId: 's' },
  { type: 'AuthenticatorOffered', atMs: 1, sessionId: 's', totpSeed: 't', expiresAtMs: 2 },
  { type: 'RecoveryCodesReplaced', atMs: 1, recoveryHashes: ['r'] },
  { type: 'SignedInByPasskey', atMs: 1, passkeyId: 'p', counter: 1, session },
  {
    type: 'PasskeyAdded',
    atMs: 1,
    passkey: {
      id: 'p',
      credentialId: 'c',
      publicKey: 'k',
      counter: 0,
      transports: [],
      label: 'l',
      addedAtMs: 1,
      lastUsedAtMs: null,
    },
  },
]

describe('the stored forms of an account', () => {
  it('are read as they were written, and without their key with nulls', () => {
    for (const event of events) {
      const text = accountEvents.encode(event, seal)
      expect(accountEvents.decode(text, seal)).toEqual(event)
      const bare = accountEvents.decode(text, gone)
      expect(bare.type).toBe(event.type)
      expect(Object.values(bare)).toContain(null)
    }
  })

  it('never seal nothing', () => {
    expect(accountSnapshots.decode(accountSnapshots.encode({ status: 'none' }, null), null)).toEqual({
      status: 'none',
    })
  })
})
