import { describe, expect, it } from 'vitest'
import { type WalletCommand, walletDecider } from '../../../src/actors/wallet/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const DAY_MS = 86_400_000
const tenant = 'ten_00aaaaaaaa'
const issue = (more: object = {}): WalletCommand => ({
  type: 'IssueWalletToken',
  atMs: 1,
  tenant,
  installationId: 'i',
  externalId: 'e',
  tokenHash: 'h1',
  ...more,
})
const revoke: WalletCommand = { type: 'RevokeWallet', atMs: 2, tenant }
const expire: WalletCommand = { type: 'ExpireWallet', atMs: 7 * DAY_MS + 1 }
const run = (...commands: WalletCommand[]) => runDecider(walletDecider, commands)

describe('a wallet', () => {
  it('is made once; later tokens take the place of earlier ones', () => {
    const { state, replies } = run(issue(), issue({ tokenHash: 'h2', atMs: 5 }))
    expect(state).toMatchObject({ status: 'pending', tokenHash: 'h2', createdAtMs: 1, updatedAtMs: 5 })
    expect(replies).toMatchObject([{ isTokenRenewed: false }, { isTokenRenewed: true }])
  })

  it('is asked for again with what it was made with', () => {
    expect(run(issue(), issue({ externalId: null })).replies[1]).toMatchObject({
      refused: 'idempotency_key_reused',
    })
  })

  it.each([
    ['the organisation', revoke, 'tenant'],
    ['the service, when it never connected', expire, 'never_connected'],
  ] as const)('is revoked by %s, for ever', (_, command, by) => {
    const { state, events, replies } = run(issue(), command, command, issue())
    expect(state).toMatchObject({ status: 'revoked', revokedBy: by })
    expect(events).toHaveLength(2)
    expect(replies[3]).toMatchObject({ refused: 'wallet_revoked' })
  })

  it('is not revoked by another organisation', () => {
    expect(run(issue(), { ...revoke, tenant: 'ten_other' }).replies[1]).toMatchObject({
      refused: 'not_found',
    })
  })

  it('waits seven days for its first connection', () => {
    const pending = run(issue()).state
    expect(walletDecider.timers?.(pending)).toEqual([{ id: 'never-connected', dueMs: 7 * DAY_MS + 1 }])
    expect(walletDecider.timers?.(run(issue(), revoke).state)).toEqual([])
  })

  it('that nobody made is not found', () => {
    const { state, replies } = run(revoke, expire)
    for (const answer of [...replies, walletDecider.views.record(state)])
      expect(answer).toMatchObject({ refused: 'not_found' })
  })

  it('never goes back', () => {
    const revoked = run(issue(), revoke).state
    expect(() =>
      walletDecider.evolve(revoked, { type: 'WalletTokenRenewed', atMs: 3, tokenHash: 'h' }),
    ).toThrow('impossible in revoked')
    const event = {
      type: 'WalletCreated',
      atMs: 3,
      tenant,
      installationId: 'i',
      externalId: null,
      tokenHash: 'h',
    }
    expect(() => walletDecider.evolve(revoked, event as never)).toThrow('impossible in revoked')
  })
})
