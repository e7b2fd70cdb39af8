import { describe, expect, it } from 'vitest'
import { evolveAccount } from '../../../src/actors/account/evolve.ts'
import type { AccountEvent, AccountState } from '../../../src/actors/account/state.ts'

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
    const state = [invited, confirmed, removed].reduce(evolveAccount, none)
    expect(state).toEqual({ status: 'removed', organisation: null, removedAtMs: 9 })
  })

  it('that are impossible are refused', () => {
    expect(() => evolveAccount(none, removed)).toThrow('impossible')
    expect(() => [invited, invited].reduce(evolveAccount, none)).toThrow('impossible')
    expect(() => [invited, removed, removed].reduce(evolveAccount, none)).toThrow('impossible')
    expect(() => [invited, confirmed, confirmed].reduce(evolveAccount, none)).toThrow('impossible')
    const ended: AccountEvent = { type: 'SessionsEnded', atMs: 3 }
    expect(() => [invited, ended].reduce(evolveAccount, none)).toThrow('impossible')
  })
})
