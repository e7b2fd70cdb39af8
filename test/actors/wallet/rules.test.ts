import { describe, expect, it } from 'vitest'
import { type WalletCommand, walletDecider } from '../../../src/actors/wallet/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'
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
    expect(walletDecider.timers?.(run(issue(), revoke).state)).toMatchObject([{ id: 'mailbox' }])
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

  it('is active from its phone’s first connection on, and does not expire then', () => {
    const connect: WalletCommand = { type: 'RecordWalletConnected', atMs: 10 }
    const { state, events } = run(issue(), connect, { ...connect, atMs: 20 }, expire)
    expect(state).toMatchObject({ status: 'active', connectedAtMs: 10, lastSeenAtMs: 10, updatedAtMs: 10 })
    expect(events).toHaveLength(2)
    expect(walletDecider.timers?.(state)).toEqual([])
  })

  it('notes when its phone was there, once in a quarter of an hour', () => {
    const seen = (atMs: number): WalletCommand => ({ type: 'RecordWalletSeen', atMs })
    const quarter = 15 * 60_000
    const { state, events } = run(
      issue(),
      seen(5),
      { type: 'RecordWalletConnected', atMs: 10 },
      seen(10 + quarter - 1),
      seen(10 + quarter),
      seen(11 + quarter),
      { ...revoke, atMs: 12 + quarter },
      seen(10 + 2 * quarter),
    )
    expect(events.filter(({ type }) => type === 'WalletSeen')).toHaveLength(2)
    expect(state).toMatchObject({ lastSeenAtMs: 10 + 2 * quarter, updatedAtMs: 12 + quarter })
  })

  it('loses its mailbox 30 days after it was revoked, once', () => {
    const connected: WalletCommand = { type: 'RecordWalletConnected', atMs: 1 }
    const giveUp = (atMs: number): WalletCommand => ({ type: 'GiveUpMailbox', atMs })
    const dueMs = 2 + 30 * DAY_MS
    const revoked = run(issue(), connected, revoke, giveUp(dueMs - 1)).state
    expect(walletDecider.timers?.(revoked)).toEqual([{ id: 'mailbox', dueMs }])
    expect(walletDecider.owed?.(revoked)).toEqual([])
    const due = run(issue(), connected, revoke, giveUp(dueMs)).state
    expect(walletDecider.owed?.(due)).toMatchObject([{ kind: 'remove-mailbox' }])
    expect(walletDecider.timers?.(due)).toEqual([])
    const removed = run(issue(), connected, revoke, giveUp(dueMs), {
      type: 'RecordMailboxRemoved',
      atMs: dueMs,
    }).state
    expect(removed).toMatchObject({ mailbox: 'removed', updatedAtMs: 2 })
    expect(walletDecider.owed?.(removed)).toEqual([])
  })

  it('that was never connected loses the mailbox of its invitations 30 days after its end as well', () => {
    const dueMs = 37 * DAY_MS + 1
    const { state } = run(issue(), expire)
    expect(walletDecider.timers?.(state)).toEqual([{ id: 'mailbox', dueMs }])
    const due = run(issue(), expire, { type: 'GiveUpMailbox', atMs: dueMs }).state
    expect(walletDecider.owed?.(due)).toMatchObject([{ kind: 'remove-mailbox' }])
  })

  it('is not connected any more once it was revoked, and says by whom', () => {
    const { replies } = run(issue(), expire, { type: 'RecordWalletConnected', atMs: 8 * DAY_MS }, issue())
    const reasonOf = (reply: unknown) => (isRefused(reply) ? [reply.refused, reply.reason] : [])
    for (const reply of replies.slice(2))
      expect(reasonOf(reply).join()).toMatch(/^wallet_revoked,.*did not connect within 7 days/)
    const byTenant = reasonOf(run(issue(), revoke, issue()).replies[2]).join()
    expect(byTenant).toMatch(/^wallet_revoked,The wallet of this installation was revoked;/)
  })
})
